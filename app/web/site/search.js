// The search of the reference: names that begin with the words come first, then those that contain them.
'use strict';
(() => {
  const MOST = 30;
  const field = document.getElementById('search'), list = document.getElementById('found');
  const rows = window.referenceIndex.map(([name, kind, inside, given, place]) => ({ name, kind, inside, given, place,
    low: name.toLowerCase(), all: `${inside}::${name} ${kind}`.toLowerCase() }));

  /// Lower is better; undefined: no hit. All words must be there, one of them in the name.
  function rank(row, words) {
    if (!words.every((word) => row.all.includes(word))) return undefined;
    const best = words.filter((word) => row.low.includes(word));
    if (!best.length) return undefined;
    if (best.some((word) => row.low === word)) return 0;
    return best.some((word) => row.low.startsWith(word)) ? 1 : 2;
  }

  function show() {
    const words = field.value.toLowerCase().split(/[\s:().]+/).filter(Boolean);
    const hits = words.length === 0 ? [] : rows.map((row) => [rank(row, words), row]).filter(([r]) => r !== undefined)
      .sort((a, b) => a[0] - b[0] || a[1].name.length - b[1].name.length).map(([, row]) => row);
    list.replaceChildren(...hits.slice(0, MOST).map((row) => {
      const link = document.createElement('a'), about = document.createElement('span');
      link.href = row.place;
      link.textContent = row.name;
      about.textContent = `${row.given} ${row.kind}${row.inside ? ` in ${row.inside}` : ''}`;
      about.className = 'small';
      const item = document.createElement('li');
      item.append(link, about);
      return item;
    }));
    if (words.length && (!hits.length || hits.length > MOST)) {
      const more = document.createElement('li');
      more.className = 'small';
      more.textContent = hits.length ? `and ${hits.length - MOST} more` : 'Nothing has this name.';
      list.append(more);
    }
    list.hidden = words.length === 0;
  }

  field.hidden = false;
  field.addEventListener('input', show);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && list.querySelector('a')) list.querySelector('a').click();
    if (event.key !== 'Escape') return;
    field.value = '';
    show();
  });
  window.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === field) return;
    event.preventDefault();
    field.focus();
  });
  list.addEventListener('click', (event) => { if (event.target.closest('a')) list.hidden = true; });
})();
