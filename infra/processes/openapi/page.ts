/** Reads the document and shows it; nothing is loaded from anywhere else. */
export const openApiPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tollgate console API</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
details { border: 1px solid #8885; border-radius: 6px; margin: .4rem 0; }
summary { cursor: pointer; padding: .5rem .8rem; display: flex; gap: .8rem; flex-wrap: wrap; }
summary b { width: 4.5rem; } summary span { opacity: .7; margin-left: auto; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow: auto; margin: 0; padding: .8rem; border-top: 1px solid #8885; max-height: 30rem; }
input { width: 100%; font: inherit; padding: .5rem; box-sizing: border-box; }
</style>
</head>
<body>
<h1>Tollgate console API</h1>
<p><a href="/api/openapi.json">openapi.json</a> is what this page shows.</p>
<p><input id="filter" type="search" placeholder="Filter by path" aria-label="Filter by path"></p>
<main id="operations"><p>Loading…</p></main>
<script src="/api/docs/page.js"></script>
</body>
</html>
`;

export const openApiScript = `'use strict';
const main = document.getElementById('operations');
const element = (name, text) => {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
};
const show = ({ paths }) => {
  main.replaceChildren();
  for (const [path, methods] of Object.entries(paths).sort()) {
    for (const [method, operation] of Object.entries(methods)) {
      const { description, operationId, tags, responses, ...shown } = operation;
      const head = element('summary', '');
      const what = element('span', description);
      head.append(element('b', method.toUpperCase()), element('code', path), what);
      const box = element('details', '');
      const answer = responses['200'].content;
      box.append(head, element('pre', JSON.stringify({ ...shown, answer }, null, 2)));
      box.dataset.path = path;
      main.append(box);
    }
  }
};
document.getElementById('filter').addEventListener('input', ({ target }) => {
  for (const box of main.children) box.hidden = !(box.dataset.path ?? '').includes(target.value);
});
fetch('/api/openapi.json')
  .then((answer) => answer.json())
  .then(show, () => main.replaceChildren(element('p', 'The document could not be read.')));
`;
