// node.cjs FOLDER REPORT OPTIONS...: the WebAssembly under node, without a page. Writes the last frame's report to
// the file REPORT; the options are those of the command line.
'use strict';
const fs = require('fs');
const path = require('path');
const [folder, report, ...options] = process.argv.slice(2);
const createBvlab = require(path.resolve(folder, 'bvlab.js'));

createBvlab({ wasmBinary: fs.readFileSync(path.join(folder, 'bvlab.wasm')) }).then((lab) => {
  const status = lab.callMain(['--headless', '--report', '/report.json', ...options]);
  if (status === 0) fs.writeFileSync(report, lab.FS.readFile('/report.json'));
  process.exitCode = status;
}).catch((problem) => {
  console.error(problem);
  process.exitCode = 1;
});
