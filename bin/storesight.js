#!/usr/bin/env node
// The way into the package. An older Node cannot load the program itself, so this file is JavaScript that every Node reads.
import { execFileSync, spawn } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const LEAST_NODE = 24;

if (Number.parseInt(process.versions.node, 10) >= LEAST_NODE) {
  await import('../dist/src/cli/main.js');
} else {
  const node = bringNode();
  if (node === null) tellWhatToDo();
  else runWith(node);
}

/** Has npm unpack a Node into its cache, as npx does with packages. Returns the path of that Node, null where npm cannot. */
function bringNode() {
  const [command, ...before] = npm();
  if (command === undefined) return null;
  const isAtTerminal = process.stderr.isTTY === true;
  if (isAtTerminal)
    console.error(
      `This is Node.js ${process.versions.node}. Storesight runs on Node.js ${LEAST_NODE}, which npm brings now.`,
    );
  const print = "console.log(parseInt(process.versions.node,10)+' '+process.execPath)";
  try {
    const printed = execFileSync(
      command,
      [...before, 'exec', '--yes', `--package=${packageOfNode()}@${LEAST_NODE}`, '--', 'node', '-e', print],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', isAtTerminal ? 'inherit' : 'pipe'] },
    );
    const [, version, path] = /^(\d+) (.+)$/m.exec(printed) || [];
    return Number(version) >= LEAST_NODE ? path : null;
  } catch {
    return null;
  }
}

/** The package that has Node for this platform. The package `node` gets it from there by an install script, which may be forbidden. */
function packageOfNode() {
  const { platform, arch } = process;
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return [prefix, platform === 'win32' ? 'win' : platform, arch].join('-');
}

/** How npm is called: by its own file where npm or npx started us, which needs no shell on Windows. */
function npm() {
  const file = process.env.npm_execpath || '';
  if (/^np[mx]-cli\.c?js$/.test(basename(file))) return [process.execPath, file];
  return process.platform === 'win32' ? [] : ['npm'];
}

function runWith(node) {
  const program = fileURLToPath(import.meta.url);
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends these to the child as well, and a second one would end it at once.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    process.exitCode = code === null ? 1 : code;
    if (signal === null) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function tellWhatToDo() {
  const args = process.argv.slice(2).join(' ');
  console.error(
    `Storesight needs Node.js ${LEAST_NODE} or later, and this is ${process.versions.node}.\n` +
      `Either install it from https://nodejs.org, or run this, which brings it along for one command:\n\n` +
      `  npx --yes --package=node@${LEAST_NODE} --package=storesight -- storesight ${args}`.trimEnd(),
  );
  process.exitCode = 1;
}
