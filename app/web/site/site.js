// The site's scenes: a picture becomes a running scene when it is clicked, one at a time; beside a lesson it follows the text.
'use strict';
(() => {
  let running = null;  // { box, picture, frame }

  function stop() {
    if (running) running.box.replaceChildren(running.picture);
    running = null;
  }

  // In a small frame, knobs, legend and large letters would leave no room for the scene. A large frame is
  // taken for one on a projector.
  const SMALL = '&set=ui.panels=false&set=ui.legend=false&set=ui.scale=0.75', LARGE = '&set=ui.scale=1.25';
  const LIGHT = '&set=ui.theme=light';

  function fitted(box, address) {
    const colored = window.matchMedia('(prefers-color-scheme: light)').matches ? address + LIGHT : address;
    if (box.clientWidth < 520) return colored + SMALL;
    return box.clientWidth > 1000 ? colored + LARGE : colored;
  }

  function start(box, address) {
    const picture = box.querySelector('.start');
    stop();
    const frame = document.createElement('iframe');
    frame.title = picture.querySelector('img').alt;
    frame.allow = 'fullscreen';
    box.replaceChildren(frame);
    frame.src = fitted(box, address);
    running = { box, picture, frame, isLoaded: false };
    frame.addEventListener('load', () => { if (running && running.frame === frame) running.isLoaded = true; });
    for (const button of document.querySelectorAll('button.show')) button.hidden = false;
  }

  for (const picture of document.querySelectorAll('.start')) {
    picture.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      start(picture.parentElement, current ? current.dataset.scene : picture.href);
    });
  }

  // ---- beside a lesson: the scene of the section that is being read

  const sections = [...document.querySelectorAll('section[data-scene]')];
  let current = sections[0] || null;

  function show(section) {
    if (section === current) return;
    current = section;
    for (const one of sections) one.classList.toggle('current', one === section);
    if (!running) return;
    // Only the part after # differs, so the page in the frame stays and takes it as commands. The address is
    // replaced, so that the browser's Back button leads out of this page.
    const address = fitted(running.box, new URL(section.dataset.scene, document.baseURI).href);
    if (running.isLoaded) running.frame.contentWindow.location.replace(address);
    else running.frame.src = address;
  }

  function doTask(button) {
    const section = button.closest('section');
    const inside = running.frame.contentWindow;
    const run = () => inside.bvlab.ready.then(() => inside.bvlab.run(button.dataset.run));
    if (section.dataset.scene === current.dataset.scene) {
      show(section);
      if (inside.bvlab) run();
      return;
    }
    // First show what the section begins with, for long enough to be seen.
    inside.addEventListener('hashchange', () => {
      const from = inside.bvlab.frames();
      const wait = () => (inside.bvlab.frames() > from + 30 ? run() : window.requestAnimationFrame(wait));
      wait();
    }, { once: true });
    show(section);
  }

  function follow() {
    const line = window.innerHeight * 0.45;
    let read = sections[0];
    for (const section of sections) if (section.getBoundingClientRect().top < line) read = section;
    const isAtEnd = window.innerHeight + window.scrollY >= document.body.scrollHeight - 4;
    show(isAtEnd ? sections[sections.length - 1] : read);
  }

  if (sections.length) {
    sections[0].classList.add('current');
    window.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('resize', follow);
    for (const section of sections) section.addEventListener('click', () => show(section));
    for (const button of document.querySelectorAll('button.show')) {
      button.addEventListener('click', (event) => {
        event.stopPropagation();
        doTask(button);
      });
    }
    follow();
  }
})();
