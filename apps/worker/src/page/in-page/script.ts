/// <reference lib="dom" />
import type { ElementHandle, Frame } from 'playwright-core';
import * as collect from './collect.js';
import * as controls from './controls.js';
import * as dom from './dom.js';
import * as fill from './fill.js';
import * as forms from './forms.js';
import * as heed from './heed.js';
import * as keypad from './keypad.js';
import * as marks from './marks.js';
import * as naming from './naming.js';
import * as neighbours from './neighbours.js';
import * as radios from './radios.js';
import * as realm from './realm.js';
import * as texts from './texts.js';
import * as visibility from './visibility.js';
import * as watch from './watch.js';

/**
 * The code that runs inside the website, as source: every function of this folder, declared side by side. They call each
 * other by name, and both compilers in use (tsc, swc) keep the names of exported functions; `observe.spec.ts` would fail if not.
 */
const sourceOf = (modules: readonly object[]): string => modules.flatMap((module) => Object.values(module).map(String)).join('\n');
const modules = [dom, visibility, marks, naming, neighbours, watch, forms, controls, texts, collect, heed, radios, fill, keypad];
const names = modules.flatMap((module) => Object.keys(module));

/**
 * Those that read the page and make none of its code run, as far as they are called from outside or by one that does: while they run, what the
 * page's libraries have changed of arrays, texts and elements is the browser's own. The others use what is handed to them, and of the rest
 * only the language itself.
 */
const readers = [
  dom.asJson,
  dom.elementAt,
  dom.isDisabled,
  watch.shownText,
  watch.watchChanges,
  watch.watchOf,
  collect.collectFrame,
  collect.describeFrameElement,
  heed.beginPress,
  heed.showsEffect,
  keypad.keypadOf,
  radios.isRadioSet,
  radios.radioNamed,
  radios.radiosAt,
  fill.charactersOf,
  fill.checkFields,
  fill.formOf,
  fill.inOneLine,
  fill.isChecked,
  fill.isChecking,
  fill.isFilled,
  fill.isSubmit,
  fill.openerOf,
  fill.placeOfOption,
  fill.refusalOf,
  fill.takenBy,
].map(({ name }) => name);

const globals = realm.builtins().map(([name]) => name);

/** Declares `reader`: all of them, with the browser's own builtins by their names, also where the page has declared others. */
const declareReader = `${sourceOf([realm])}
const reader = ((realm) => {
const { ${globals.join(', ')} } = realm.globals;
${sourceOf(modules)}
${readers.map((name) => `${name} = reading(realm, ${name});`).join('\n')}
const answer = async (call) => {
const { name, argument } = JSON.parse(call);
return asJson(await reader[name](argument));
};
const reader = { ${names.join(', ')}, answer };
return reader;
})(realmOf(${JSON.stringify(globals.join(' '))}));`;

/** Playwright sends a function's own text; this one's is given. */
const withText = <Given>(text: string): ((given: Given) => Promise<string>) =>
  Object.assign(() => Promise.resolve(''), { toString: () => text });

/**
 * Makes one of these functions ready to be called with an element. What it gives travels as JSON: Playwright's own way to write an answer down
 * uses the page's builtins.
 */
export function onElement<Result>(run: (element: Element) => Result): (element: ElementHandle) => Promise<Result> {
  const text = withText<unknown>(`(element) => {\n${declareReader}\nreturn reader.asJson(reader.${run.name}(element));\n}`);
  return async (element) => JSON.parse(await element.evaluate(text)) as Result;
}

const kept = `document[(${String(realm.keyOf)})('page.reader')]`;
const bringAndCall = withText<string>(`async (call) => {
${declareReader}
Object.defineProperty(document, keyOf('page.reader'), { value: reader, enumerable: false, configurable: true });
return reader.answer(call);
}`);
const call = withText<string>(`async (call) => {
const reader = ${kept};
return reader ? reader.answer(call) : '';
}`);

/** Frames whose document has the text, as far as is known. */
const supplied = new WeakSet<Frame>();

/** Another document stands in the frame, and has nothing of what the last one had. */
export const forgetDocument = (frame: Frame): void => void supplied.delete(frame);

/**
 * Makes one of these functions ready to be called in a frame. Their text, most of the cost of a call, is brought to a document once and
 * kept there under a symbol. What it is given and gives travels as JSON, apart from the text: a value never becomes part of a script.
 */
export function inFrame<Argument, Result>(
  run: (argument: Argument) => Result | Promise<Result>,
): (frame: Frame, argument: Argument) => Promise<Result> {
  return async (frame, argument) => {
    const wanted = JSON.stringify({ name: run.name, argument });
    const answer = (supplied.has(frame) && (await frame.evaluate(call, wanted))) || (await frame.evaluate(bringAndCall, wanted));
    supplied.add(frame);
    return JSON.parse(answer) as Result;
  };
}
