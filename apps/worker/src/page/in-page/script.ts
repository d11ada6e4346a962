import type { Frame } from 'playwright-core';
import * as collect from './collect.js';
import * as controls from './controls.js';
import * as dom from './dom.js';
import * as fill from './fill.js';
import * as forms from './forms.js';
import * as heed from './heed.js';
import * as marks from './marks.js';
import * as naming from './naming.js';
import * as neighbours from './neighbours.js';
import * as radios from './radios.js';
import * as texts from './texts.js';
import * as visibility from './visibility.js';
import * as watch from './watch.js';

/**
 * The code that runs inside the website, as source: every function of this folder, declared side by side. They call each
 * other by name, and both compilers in use (tsc, swc) keep the names of exported functions; `observe.spec.ts` would fail if not. They share
 * the page's own `Array` and the like, which old libraries have changed: `entries` and `reduce` of an array are not what they should be there.
 */
const functions = [dom, visibility, marks, naming, neighbours, watch, forms, controls, texts, collect, heed, radios, fill].flatMap(
  (module): [string, unknown][] => Object.entries(module),
);
const declarations = functions.map(([, run]) => String(run)).join('\n');

/**
 * Makes one of these functions ready to be sent: Playwright sends a function's own text, so this one's text brings its
 * neighbours along. The argument travels apart from the text, so a value never becomes part of a script.
 */
export function inPage<Argument, Result>(run: (argument: Argument) => Result): (argument: Argument) => Result {
  const source = `(argument) => {\n${declarations}\nreturn ${run.name}(argument);\n}`;
  return Object.assign((argument: Argument) => run(argument), { toString: () => source });
}

interface Call {
  readonly name: string;
  readonly argument: unknown;
}

/** Playwright sends a function's own text; this one's is given. */
const withText = (text: string): ((call: Call) => Promise<string>) => Object.assign(() => Promise.resolve(''), { toString: () => text });

const kept = `Symbol.for('page.reader')`;
const bringAndCall = withText(`async ({ name, argument }) => {
${declarations}
const reader = { ${functions.map(([name]) => name).join(', ')} };
Object.defineProperty(document, ${kept}, { value: reader, enumerable: false, configurable: true });
return reader.asJson(await reader[name](argument));
}`);
const call = withText(`async ({ name, argument }) => {
const reader = document[${kept}];
return reader ? reader.asJson(await reader[name](argument)) : '';
}`);

/** Frames whose document has the text, as far as is known. */
const supplied = new WeakSet<Frame>();

/** Another document stands in the frame, and has nothing of what the last one had. */
export const forgetDocument = (frame: Frame): void => void supplied.delete(frame);

/**
 * Makes one of these functions ready to be called in a frame. Their text, most of the cost of a call, is brought to a document once and
 * kept there under a symbol. The answer travels as JSON.
 */
export function inFrame<Argument, Result>(
  run: (argument: Argument) => Result | Promise<Result>,
): (frame: Frame, argument: Argument) => Promise<Result> {
  return async (frame, argument) => {
    const wanted: Call = { name: run.name, argument };
    const answer = (supplied.has(frame) && (await frame.evaluate(call, wanted))) || (await frame.evaluate(bringAndCall, wanted));
    supplied.add(frame);
    return JSON.parse(answer) as Result;
  };
}
