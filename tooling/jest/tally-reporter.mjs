/**
 * Keeps count in a file while the run goes on, so that the closing line is true even of a run that had to be ended: what passed, what
 * failed, and which files were still running.
 */
import { renameSync, writeFileSync } from 'node:fs';

export default class TallyReporter {
  #file;
  #root;
  #tally = { passed: 0, failed: 0, running: [], complete: false };

  constructor({ rootDir }, { file }) {
    this.#root = `${rootDir}/`;
    this.#file = file;
    this.#write();
  }

  onTestFileStart({ path }) {
    this.#tally.running.push(this.#name(path));
    this.#write();
  }

  onTestFileResult({ path }, { numPassingTests, numFailingTests, testExecError }) {
    this.#tally.passed += numPassingTests;
    // A file that could not be run at all has no failing test of its own.
    this.#tally.failed += numFailingTests + (testExecError && numFailingTests === 0 ? 1 : 0);
    this.#tally.running = this.#tally.running.filter((name) => name !== this.#name(path));
    this.#write();
  }

  onRunComplete() {
    this.#tally.complete = true;
    this.#write();
  }

  #name(path) {
    return path.startsWith(this.#root) ? path.slice(this.#root.length) : path;
  }

  #write() {
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#tally));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
