#!/usr/bin/env node
// The way in of the package. An older Node cannot load the program itself, so this file is JavaScript that every Node reads.
const LEAST_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < LEAST_NODE) {
  console.error(
    `Storesight needs Node.js ${LEAST_NODE} or later, and this is ${process.versions.node}.\n` +
      `Either install it from https://nodejs.org, or run this, which brings it along for one command:\n\n` +
      `  npx --yes --package=node@${LEAST_NODE} --package=storesight -- storesight ${process.argv.slice(2).join(' ')}`.trimEnd(),
  );
  process.exitCode = 1;
} else {
  await import('../dist/src/cli/main.js');
}
