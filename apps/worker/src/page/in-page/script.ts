import * as collect from './collect.js';
import * as dom from './dom.js';
import * as fill from './fill.js';
import * as naming from './naming.js';
import * as visibility from './visibility.js';
import * as watch from './watch.js';

/**
 * The code that runs inside the website, as source: every function of this folder, declared side by side. They call each
 * other by name, and both compilers in use (tsc, swc) keep the names of exported functions; `observe.spec.ts` would fail if not.
 */
const declarations = [dom, visibility, naming, watch, collect, fill]
  .flatMap((module): unknown[] => Object.values(module))
  .map(String)
  .join('\n');

/**
 * Makes one of these functions ready to be sent: Playwright sends a function's own text, so this one's text brings its
 * neighbours along. The argument travels apart from the text, so a value never becomes part of a script.
 */
export function inPage<Argument, Result>(run: (argument: Argument) => Result): (argument: Argument) => Result {
  const source = `(argument) => {\n${declarations}\nreturn ${run.name}(argument);\n}`;
  return Object.assign((argument: Argument) => run(argument), { toString: () => source });
}
