// The browser's side of the program: loads it, gives it the events of the canvas, keeps its preferences, and is
// `window.bvlab` to the page around it:
//   ready: a promise, fulfilled after the first frame
//   run(text): commands as of --run, for the next frame; before the first one they wait for it
//   busy(): whether meshes, trees or volumes are still being made
//   opens(name): whether a file of that name is opened when it is dropped
//   report(): the report of the last frame, an object
//   on(name, call): `frame` after each frame, `ended` with the exit status, `message` with a line of text, `file` with
//     what is downloaded
'use strict';
(() => {
  const canvas = document.getElementById('canvas');
  const start = document.getElementById('start');
  const whole = document.getElementById('whole');
  // It stays in the document: browsers may forget a file chooser outside of it while its dialog is open.
  const chooser = document.getElementById('chooser');
  const isEmbedded = new URLSearchParams(window.location.search).has('embed');
  const listeners = { frame: [], ended: [], message: [], file: [] };
  Object.setPrototypeOf(listeners, null);
  /// Texts given to run() before the program runs.
  const early = [];
  /// The longest text that run() takes at once, in characters.
  const LONGEST_TEXT = 100000;
  let program = null, compiled = null, isStarted = false;
  let frames = 0;
  let isReady, isRefused;

  const bvlab = {
    ready: new Promise((resolve, reject) => { isReady = resolve; isRefused = reject; }),
    frames: () => frames,
    firstFrameMs: 0,
    memoryBytes: () => running('memoryBytes').HEAPU8.length,
    busy: () => running('busy').ccall('bvlab_busy', 'number', [], []) !== 0,
    opens: (name) => running('opens').ccall('bvlab_opens', 'number', ['string'], [String(name).slice(-1000)]) !== 0,
    textUnderPointer: () => textUnderPointer,
    run: (text) => {
      if (String(text).length > LONGEST_TEXT) throw new RangeError(`run: the text is longer than ${LONGEST_TEXT} characters`);
      if (isStarted) call('bvlab_run', 'string', String(text));
      else early.push(String(text));
    },
    report: () => JSON.parse(running('report').ccall('bvlab_report', 'string', [], [])),
    on: (name, listener) => {
      if (!listeners[name]) throw new RangeError(`on('${name}'): there are ${Object.keys(listeners).join(', ')}`);
      if (typeof listener !== 'function') throw new TypeError(`on('${name}'): the listener is not a function`);
      listeners[name].push(listener);
    },
  };
  function running(asked) {
    if (!program) throw new Error(`${asked}: the program is not running`);
    return program;
  }
  window.bvlab = bvlab;
  bvlab.ready.catch(() => {});

  // An exception in a listener is a problem of the page around this one: the program goes on.
  const tell = (name, value) => {
    for (const listener of listeners[name])
      try { listener(value); } catch (problem) { console.error(`bvlab.on('${name}'):`, problem); }
  };
  const call = (name, ...typed) => {
    if (!program) return undefined;
    const types = typed.filter((_, i) => i % 2 === 0), values = typed.filter((_, i) => i % 2 === 1);
    return program.ccall(name, null, types, values);
  };
  const numbers = (name, ...values) => { if (program) program['_' + name](...values); };

  const inform = (text) => call('bvlab_message', 'string', text, 'number', 0);
  const warn = (text) => call('bvlab_message', 'string', text, 'number', 1);

  /// For pages that may not use the clipboard: loaded by http or from a disk, or in a frame that does not
  /// allow it.
  function copyAsSelected(text) {
    const field = document.createElement('textarea');
    field.value = text;
    field.style.cssText = 'position: fixed; opacity: 0';
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    canvas.focus();
    if (!done) throw new Error('copy: refused');
  }
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); } catch { copyAsSelected(text); }
  };

  // ---- functions that the program calls

  const page = {
    frameEnded() {
      if (++frames === 1) {
        start.hidden = true;
        bvlab.firstFrameMs = performance.now();
        isReady();
      }
      sendFiles(FOLDER);
      tell('frame', frames);
    },
    ended(status) {
      program = null;
      say('The session has ended. Reload the page to start a new one.');
      tell('ended', status);
    },
    pickFiles() {
      chooser.value = '';  // the same files may be chosen again
      chooser.click();
    },
    setTyping(wanted, underPointer) {
      textUnderPointer = underPointer;
      if (wanted && fingersUsed) typing.focus({ preventScroll: true });
      else if (!wanted && document.activeElement === typing) canvas.focus();
    },
    // These run a frame after a click; browsers still take them for an action of the user.
    toggleFullScreen() {
      const all = document.documentElement;
      if (document.fullscreenElement) document.exitFullscreen();
      else if (all.requestFullscreen) all.requestFullscreen().catch(() => warn(
        'The browser fills the screen only after a click or a key in this page; a page in a frame also needs its permission'));
      else return false;
      return true;
    },
    site: document.body.dataset.site || '',
    openSite() {
      if (page.site && !window.open(page.site, '_blank')) window.location.href = page.site;
      return page.site !== '';
    },
    copyLink(hash) {
      const link = window.location.href.split('#')[0] + hash;
      copy(link).then(() => inform(`Link copied: ${link.length} characters`), () => {
        if (window.top !== window) return warn('The browser does not let this page copy: open the whole lab, and copy the link there');
        window.history.replaceState(null, '', link);
        warn('The browser does not let this page copy: the link is in the address bar now');
      });
    },
    copyText(text) { copy(text).catch(() => warn('The browser does not let this page copy')); },
    sendErrand, takeOfErrand, endErrand,
    errandSize: (id) => errands.get(id).parts.reduce((sum, part) => sum + part.length, 0),
    errandState: (id) => errands.get(id).state,
  };

  // ---- errands: work on bytes that another instance of the program does in a worker, so that no frame waits for it

  const UNDER_WAY = 0, ENDED = 1, NEVER_BEGAN = 2;
  const errands = new Map();
  let newestErrand = 0, scriptOfWorkers = null;

  /// The whole program of a worker, below the engine's script: this page's variables are not there.
  function inWorker() {
    const perform = async ({ module, kind, bytes }) => {
      const engine = await new Promise((resolve, reject) => self.createBvlab({
        instantiateWasm: (imports, use) => { WebAssembly.instantiate(module, imports).then(use).catch(reject); return {}; },
        send: (part) => self.postMessage(part, [part.buffer]),
      }).then(resolve, reject));
      self.postMessage('begun');
      engine.HEAPU8.set(bytes, engine._bvlab_errand_bytes(bytes.length));
      engine._bvlab_errand(kind);
    };
    const ended = () => self.postMessage('ended');
    self.onmessage = ({ data }) => perform(data).then(ended, ended);
  }

  async function makeScript() {
    const engine = document.getElementById('engine');
    const text = engine.src ? await (await fetch(engine.src)).text() : engine.textContent;
    return URL.createObjectURL(new Blob([`${text}\nself.createBvlab = createBvlab;\n(${inWorker})();`]));
  }

  function sendErrand(kind, bytes) {
    const id = ++newestErrand;
    const errand = { parts: [], state: UNDER_WAY, worker: null };
    errands.set(id, errand);
    let hasBegun = false;
    const end = () => {
      if (errand.worker) errand.worker.terminate();
      errand.state = hasBegun ? ENDED : NEVER_BEGAN;
    };
    scriptOfWorkers = scriptOfWorkers || makeScript();
    scriptOfWorkers.then((script) => {
      if (!errands.has(id)) return;
      errand.worker = new Worker(script);
      errand.worker.onerror = end;
      errand.worker.onmessage = ({ data }) => {
        if (data === 'begun') hasBegun = true;
        else if (data === 'ended') end();
        else errand.parts.push(data);
      };
      errand.worker.postMessage({ module: compiled, kind, bytes }, [bytes.buffer]);
    }).catch(end);
    return id;
  }

  function takeOfErrand(id, put) {
    let at = 0;
    for (const part of errands.get(id).parts.splice(0)) {
      put(part, at);
      at += part.length;
    }
  }

  function endErrand(id) {
    const { worker } = errands.get(id);
    if (worker) worker.terminate();
    errands.delete(id);
  }

  // ---- the first screen

  function say(text) {
    document.getElementById('state').textContent = text;
    document.getElementById('progress').hidden = true;
    start.hidden = false;
  }

  function progress(done, total) {
    const bar = document.getElementById('progress');
    if (total > 0) bar.value = done / total; else bar.removeAttribute('value');
    const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
    document.getElementById('state').textContent =
      total > 0 ? `${megabytes(done)} of ${megabytes(total)} MB` : `${megabytes(done)} MB`;
  }

  function refuse(why) {
    say(why);
    const picture = document.getElementById('picture');
    picture.src = picture.dataset.src;
    picture.hidden = false;
    isRefused(new Error(why));
  }

  /// The bytes of the WebAssembly: inside the one-file page, packed, or beside this one.
  async function programBytes() {
    const inside = document.getElementById('wasm');
    if (inside) {
      const packed = Uint8Array.from(atob(inside.textContent.trim()), (c) => c.charCodeAt(0));
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
      return new Uint8Array(await new Response(stream).arrayBuffer());
    }
    const answer = await fetch('bvlab.wasm');
    if (!answer.ok) throw new Error(`bvlab.wasm: the server responded with status ${answer.status}`);
    // A packed answer says its packed length, but counts unpacked bytes.
    const total = answer.headers.get('Content-Encoding') ? 0 : Number(answer.headers.get('Content-Length'));
    const parts = [];
    let done = 0;
    for (const reader = answer.body.getReader();;) {
      const { value, done: over } = await reader.read();
      if (over) break;
      parts.push(value);
      done += value.length;
      progress(done, total);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }

  // ---- the canvas

  function resize() {
    numbers('bvlab_resize', canvas.clientWidth, canvas.clientHeight, window.devicePixelRatio || 1);
  }

  // The keyboard of a touch screen covers a part of the page: the canvas keeps to the rest.
  function fitCanvas() {
    const seen = window.visualViewport;
    if (!seen || seen.scale > 1.01) return;
    canvas.style.top = `${seen.offsetTop}px`;
    canvas.style.height = `calc(${seen.height}px - var(--strip))`;
  }

  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
  // Shift 1, Control 2, Alt 4, Super 8; on a Mac the Command key is the Control of shortcuts.
  const mods = (e) => (e.shiftKey ? 1 : 0) | (e.ctrlKey || (isMac && e.metaKey) ? 2 : 0) | (e.altKey ? 4 : 0) |
    (!isMac && e.metaKey ? 8 : 0);

  // Keys that stay the browser's: its tools, reloading, finding, its history, zoom, full screen, tabs and windows. Where a
  // command has one of them on the desktop, its row names another for browsers. A test compares them.
  function isBrowsers(e) {
    if (['F3', 'F5', 'F6', 'F7', 'F11', 'F12'].includes(e.key)) return true;
    if (isEmbedded && e.key === 'Tab') return true;  // the way on through the page around this one
    const ctrl = e.ctrlKey || (isMac && e.metaKey);
    if (e.altKey && !ctrl && e.key !== 'Alt') return true;  // back, forward, its menus
    return ctrl && (e.shiftKey ? ['i', 'j', 'c', 't', 'n', 'r', 'w', '+']
      : ['t', 'n', 'w', 'r', 'l', 'f', 'g', 'h', 'j', 'u', '+', '-', '=', '0', 'q', 'tab']).includes(e.key.toLowerCase());
  }

  /// AltGr, which Windows reports as Ctrl and Alt, and Option on a Mac are part of the character.
  function typesWithAlt(e) {
    return [...e.key].length === 1 &&
      (e.getModifierState('AltGraph') || (isMac && e.altKey && !e.ctrlKey && !e.metaKey));
  }

  function key(e, down) {
    if (e.target === whole) return;
    if (document.activeElement === typing && !KEYS_OF_FIELDS.includes(e.key)) return;  // comes as `input`
    const types = typesWithAlt(e);
    if (down && !types && isBrowsers(e)) return;
    call('bvlab_key', 'string', e.key, 'string', e.code, 'number', down ? 1 : 0, 'number', e.repeat ? 1 : 0,
      'number', types ? mods({ shiftKey: e.shiftKey }) : mods(e));
    if (down && [...e.key].length === 1 && (types || (!e.ctrlKey && !e.metaKey && !e.altKey)))
      numbers('bvlab_character', e.key.codePointAt(0));
    const pastes = (e.ctrlKey || (isMac && e.metaKey)) && e.key.toLowerCase() === 'v';  // then comes `paste`
    if (!pastes) e.preventDefault();
  }

  // ---- typing on a touch screen: an invisible field has the focus while text is wanted. It always holds
  // some text, so that deleting changes it, too; keyboards that guess words replace them at any time.

  const typing = document.getElementById('typing');
  const KEYS_OF_FIELDS = ['Enter', 'Escape', 'Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
  const FILLING = ' '.repeat(32);
  let typed = FILLING, textUnderPointer = false, fingersUsed = window.matchMedia('(pointer: coarse)').matches;

  function useFingers(used) {
    fingersUsed = used;
    numbers('bvlab_fingers', used ? 1 : 0);
  }

  function refill() {
    typing.value = typed = FILLING;
    typing.setSelectionRange(FILLING.length, FILLING.length);
  }

  function takeTyped(e) {
    const now = typing.value;
    let same = 0;
    while (same < now.length && same < typed.length && now[same] === typed[same]) ++same;
    for (let i = same; i < typed.length; ++i)
      for (const down of [1, 0]) call('bvlab_key', 'string', 'Backspace', 'string', 'Backspace', 'number', down,
        'number', 0, 'number', 0);
    for (const c of now.slice(same)) numbers('bvlab_character', c.codePointAt(0));
    typed = now;
    if (!e.isComposing && (now.length < 8 || now.length > 200)) refill();
  }

  // ---- touch: one finger is the left button, two pan and pinch, a long press is the right button

  const LONG_PRESS_MS = 550, STILL_PX = 10, PAN_BUTTON = 1;
  const fingers = new Map();
  let pressTimer = 0, first = null, pair = null;

  const move = (x, y) => numbers('bvlab_pointer_move', x, y);
  let touchedAt = 0;  // of the newest event
  const button = (which, down) => numbers('bvlab_pointer_button', which, down ? 1 : 0, 0, touchedAt / 1000);
  // Moves come with the next frame, which a slow page shows after the timer.
  const afterQueuedInput = (call) => requestAnimationFrame(() => setTimeout(call, 0));
  // Releases the button without the click that a normal release would make.
  const letGo = () => { numbers('bvlab_focus', 0); numbers('bvlab_focus', 1); };

  function middleOfFingers() {
    const [a, b] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y) };
  }

  function touched(e) {
    e.preventDefault();
    touchedAt = e.timeStamp;
    const here = { x: e.clientX, y: e.clientY };
    useFingers(true);
    numbers('bvlab_pointer_inside', 1);
    if (e.type === 'pointerdown') {
      if (document.activeElement !== typing) canvas.focus();
      canvas.setPointerCapture(e.pointerId);
      fingers.set(e.pointerId, here);
      clearTimeout(pressTimer);
      if (fingers.size === 1) {
        first = here;
        move(here.x, here.y);
        button(0, true);
        const pressed = here;
        pressTimer = setTimeout(() => afterQueuedInput(() => {
          if (first !== pressed || first.moved) return;
          letGo();
          button(2, true);
          button(2, false);
          first = null;
        }), LONG_PRESS_MS);
      } else if (fingers.size === 2) {
        letGo();
        first = null;
        pair = middleOfFingers();
        move(pair.x, pair.y);
        button(PAN_BUTTON, true);
      }
      return;
    }
    if (!fingers.has(e.pointerId)) return;
    if (e.type === 'pointermove') {
      fingers.set(e.pointerId, here);
      if (pair && fingers.size === 2) {
        const now = middleOfFingers();
        move(now.x, now.y);
        if (now.apart > 0 && pair.apart > 0) numbers('bvlab_wheel', 0, Math.log(now.apart / pair.apart) / Math.log(1.15));
        pair = now;
      } else if (fingers.size === 1 && first) {
        if (Math.hypot(here.x - first.x, here.y - first.y) > STILL_PX) first.moved = true;
        move(here.x, here.y);
      }
      return;
    }
    clearTimeout(pressTimer);
    fingers.delete(e.pointerId);
    if (pair) {
      button(PAN_BUTTON, false);
      pair = null;
    } else if (first) {
      if (e.type === 'pointercancel') {
        letGo();
      } else {
        button(0, false);
        // Here, since browsers show their keyboard only when the user has just done something.
        if (textUnderPointer) typing.focus({ preventScroll: true });
      }
    }
    if (fingers.size === 0) {
      first = null;
      numbers('bvlab_pointer_inside', 0);
    }
  }

  // Texts are passed on the program's stack, which a longer one would overflow. The program gets this name in
  // its place, and refuses it.
  const LONGEST_LINK = 100000;
  const ownLink = () => (window.location.hash.length > LONGEST_LINK ? '#more-than-100000-characters' : window.location.hash);

  function listen() {
    new ResizeObserver(resize).observe(canvas);
    window.addEventListener('resize', resize);
    if (window.visualViewport)
      for (const kind of ['resize', 'scroll']) window.visualViewport.addEventListener(kind, fitCanvas);
    chooser.addEventListener('change', () => takeFiles(chooser.files));
    typing.addEventListener('focus', refill);
    typing.addEventListener('input', takeTyped);
    useFingers(fingersUsed);
    const at = (e) => numbers('bvlab_pointer_move', e.clientX, e.clientY);
    for (const kind of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'])
      canvas.addEventListener(kind, (e) => { if (e.pointerType === 'touch') touched(e); });
    const isTouch = (e) => e.pointerType === 'touch';
    canvas.addEventListener('pointerenter', (e) => { if (isTouch(e)) return; numbers('bvlab_pointer_inside', 1); at(e); });
    canvas.addEventListener('pointerleave', (e) => { if (!isTouch(e)) numbers('bvlab_pointer_inside', 0); });
    const button = (e, down) => numbers('bvlab_pointer_button', e.button, down ? 1 : 0, mods(e), e.timeStamp / 1000);
    canvas.addEventListener('pointermove', (e) => {
      if (isTouch(e)) return;
      numbers('bvlab_pointer_inside', 1);
      at(e);
      // While one button is held, others go down and up as moves.
      if (e.button >= 0) button(e, (e.buttons & [1, 4, 2][e.button]) !== 0);
    });
    canvas.addEventListener('pointerdown', (e) => {
      if (isTouch(e)) return;
      useFingers(false);
      canvas.focus();
      canvas.setPointerCapture(e.pointerId);
      at(e);
      button(e, true);
      e.preventDefault();
    });
    canvas.addEventListener('pointerup', (e) => {
      if (isTouch(e)) return;
      at(e);
      button(e, false);
    });
    canvas.addEventListener('pointercancel', () => numbers('bvlab_focus', 0));
    canvas.addEventListener('contextmenu', (e) => e.preventDefault());
    canvas.addEventListener('wheel', (e) => {
      const perNotch = [100, 3, 1][e.deltaMode];
      numbers('bvlab_wheel', -e.deltaX / perNotch, -e.deltaY / perNotch);
      e.preventDefault();
    }, { passive: false });
    window.addEventListener('keydown', (e) => key(e, true));
    window.addEventListener('keyup', (e) => key(e, false));
    window.addEventListener('paste', (e) => {
      for (const c of e.clipboardData.getData('text')) numbers('bvlab_character', c.codePointAt(0));
      e.preventDefault();
    });
    canvas.addEventListener('webglcontextlost', (e) => {
      e.preventDefault();
      numbers('bvlab_context', 1);
      say('The browser has taken the graphics away. The picture comes back as soon as it gives them back.');
    });
    canvas.addEventListener('webglcontextrestored', () => {
      numbers('bvlab_context', 0);
      start.hidden = true;
    });
    window.addEventListener('dragover', (e) => e.preventDefault());
    window.addEventListener('drop', (e) => {
      e.preventDefault();
      takeFiles(e.dataTransfer.files);
    });
    window.addEventListener('hashchange', () => {
      const link = ownLink().replace(/["\\]/g, "\\$&");
      if (link.length <= 1) return;
      // Otherwise a lesson would stay open beside the scene of another link.
      if (!/[#&]lesson=/.test(link)) bvlab.run('lesson.close');
      bvlab.run(`link "${link}"`);
    });
    window.addEventListener('pagehide', keepPreferences);
    document.addEventListener('visibilitychange', () => { if (document.hidden) keepPreferences(); });
    window.addEventListener('blur', () => numbers('bvlab_focus', 0));
    window.addEventListener('focus', () => numbers('bvlab_focus', 1));
  }

  // ---- files: the program works in one folder. It holds what the user gave, and what the program writes there is
  // downloaded. So a saved scene names its files by their names alone, and opens wherever they lie beside it.

  const FOLDER = '/files', PREFERENCES = '/home/web_user/.config/bvlab/preferences.json';
  /// Times of change of the files in the folder that are not to be downloaded: given, or downloaded before.
  const settled = new Map();

  async function takeFiles(list) {
    const files = [...list];
    for (const file of files) {
      const bytes = await file.arrayBuffer().catch(() => null);  // a folder: opening it says that it is no file
      if (!program) return;
      if (!bytes) continue;
      const path = `${FOLDER}/${file.name}`;
      program.FS.writeFile(path, new Uint8Array(bytes));
      settled.set(path, program.FS.stat(path).mtime.getTime());
    }
    for (const file of files)
      if (files.length === 1 || bvlab.opens(file.name)) call('bvlab_drop', 'string', file.name);
  }

  function sendFiles(folder) {
    const { FS } = program;
    for (const name of FS.readdir(folder)) {
      if (name === '.' || name === '..') continue;
      const path = `${folder}/${name}`;
      const { mode, mtime } = FS.stat(path);
      if (FS.isDir(mode)) {
        sendFiles(path);
        continue;
      }
      if (settled.get(path) === mtime.getTime()) continue;
      const bytes = FS.readFile(path);
      // Pictures and reports only take memory.
      if (bvlab.opens(name)) settled.set(path, mtime.getTime());
      else FS.unlink(path);
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([bytes]));
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
      tell('file', { name, bytes });
    }
  }

  let known = null;  // the preferences that this page has read or written
  // A page from a disk or in a frame may have no storage.
  function stored(name) { try { return localStorage.getItem(name); } catch { return null; } }
  function store(name, text) { try { localStorage.setItem(name, text); } catch { /* kept for this session only */ } }

  function makeFolders() {
    const { FS } = program;
    FS.mkdir(FOLDER);
    FS.chdir(FOLDER);
    FS.mkdirTree(PREFERENCES.slice(0, PREFERENCES.lastIndexOf('/')));
    known = isEmbedded ? null : stored('bvlab.preferences');
    if (known !== null) FS.writeFile(PREFERENCES, known);
    // What is written elsewhere would be lost with the page.
    for (const folder of ['/', '/tmp', '/home', '/home/web_user']) FS.chmod(folder, 0o555);
  }

  function keepPreferences() {
    if (!program || isEmbedded) return;
    const { FS } = program;
    const now = stored('bvlab.preferences');
    if (now !== null && now !== known) FS.writeFile(PREFERENCES, now);  // another page has changed some
    numbers('bvlab_save_preferences');
    for (const [path, name] of [[PREFERENCES, 'bvlab.preferences'], [PREFERENCES + '.bad', 'bvlab.preferences.bad']]) {
      if (!FS.analyzePath(path).exists) continue;
      const text = FS.readFile(path, { encoding: 'utf8' });
      // Store only what has changed: what another page has just stored may not have reached this one's
      // process yet.
      if (text !== stored(name)) store(name, text);
    }
    known = stored('bvlab.preferences');
  }

  // ---- start

  /// What a command line would be: the link of this page, and what the page asks for by itself.
  function commandLine() {
    const link = ownLink().length > 1 ? [ownLink()] : [];
    return isEmbedded ? ['--set', 'ui.layout=knobs', ...link] : link;
  }

  // A function that answers with 16 equal bytes.
  const WITH_VECTORS = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 0x7b, 3, 2, 1, 0,
    10, 8, 1, 6, 0, 0x41, 0, 0xfd, 15, 0x0b]);

  /// For the link to the whole lab: this address, not embedded.
  function pointAtWhole() {
    const address = new URL(window.location.href);
    address.searchParams.delete('embed');
    whole.href = address.href;
  }

  async function main() {
    if (isEmbedded) {
      pointAtWhole();
      window.addEventListener('hashchange', pointAtWhole);
      whole.hidden = false;
      document.documentElement.classList.add('embedded');
    }
    if (typeof WebAssembly !== 'object')
      return refuse('The lab needs WebAssembly, which this browser does not have. Update it, or use another browser.');
    if (!WebAssembly.validate(WITH_VECTORS))
      return refuse('The lab needs the 128-bit instructions of WebAssembly, which this browser does not have. Update it, or use another browser.');
    if (!document.createElement('canvas').getContext('webgl2'))
      return refuse('The lab needs WebGL 2, which this browser does not offer. Update it, or turn on hardware acceleration.');
    let lastLine = '';
    const lines = (kind) => (text) => {
      lastLine = text;
      console[kind](text);
      tell('message', text);
    };
    compiled = await WebAssembly.compile(await programBytes());
    const module = await createBvlab({
      page,
      canvas,
      instantiateWasm: (imports, use) => {
        WebAssembly.instantiate(compiled, imports).then(use, (problem) => refuse(`The lab could not be loaded: ${problem.message}`));
        return {};
      },
      print: lines('log'),
      printErr: lines('warn'),
    });
    program = module;
    makeFolders();
    resize();
    listen();
    if (window.top === window) canvas.focus();  // in a frame the page around it keeps the keyboard
    const status = module.callMain(commandLine());
    if (status === 0) {
      isStarted = true;
      for (const text of early.splice(0)) bvlab.run(text);
    } else {
      refuse(`The lab could not start. ${lastLine}`);
      if (window.location.hash.length > 1) offerWithoutLink();
    }
  }

  /// After a link that the program refused: a start without it, or with the one that is typed next.
  function offerWithoutLink() {
    const again = document.createElement('a');
    again.href = window.location.href.split('#')[0];
    again.textContent = 'Start without the link';
    again.addEventListener('click', (e) => {
      e.preventDefault();
      window.history.replaceState(null, '', again.href);
      window.location.reload();
    });
    document.getElementById('state').append(document.createElement('br'), again);
    window.addEventListener('hashchange', () => window.location.reload());
  }

  main().catch((problem) => refuse(window.location.protocol === 'file:' && !document.getElementById('wasm')
    ? 'This page needs a web server. The file bvlab.html beside it works from a disk.'
    : `The lab could not be loaded: ${problem.message}`));
})();
