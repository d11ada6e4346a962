import { claimFlow, type FlowStore, readFlow } from '@berth/login-flow';
import { classifyPage } from './discovery/classify.js';
import type { ControlSnapshot, PageSnapshot } from './discovery/snapshot.js';
import { NOTHING_SENT } from './discovery/verdict.js';

const box = (handle: string, type: string, words: string): ControlSnapshot => ({
  handle,
  selector: `#${handle}`,
  xpath: '',
  frame: '',
  tag: type === 'submit' ? 'button' : 'input',
  type,
  role: '',
  autocomplete: '',
  name: handle,
  id: handle,
  classes: '',
  label: words,
  aria: '',
  description: '',
  placeholder: '',
  title: '',
  neighbour: '',
  text: type === 'submit' ? words : '',
  lines: '',
  row: '',
  legend: '',
  icon: '',
  href: '',
  form: 'form',
  landmark: 'main',
  overlay: '',
  box: { x: 0, y: 0, width: 200, height: 30 },
  visible: true,
  unreachable: null,
  disabled: false,
  readOnly: false,
  required: true,
  checked: false,
  filled: false,
  invalid: false,
  maxLength: null,
  inputMode: '',
  pattern: '',
  options: [],
});

const signInPage: PageSnapshot = {
  url: 'https://warm-up.invalid/login',
  documentId: '',
  title: 'Sign in',
  language: 'en',
  httpStatus: 200,
  popup: false,
  readyState: 'complete',
  frames: [],
  forms: [{ key: 'form', frame: '', element: true, id: '', name: '', classes: '', action: '', aria: '', heading: 'Sign in', text: '' }],
  controls: [box('username', 'text', 'Email'), box('password', 'password', 'Password'), box('go', 'submit', 'Sign in')],
  headings: ['Sign in'],
  alerts: [],
  numbers: [],
  text: 'Sign in. Email. Password.',
  modalText: '',
  folded: [],
};

const readings = 20;

/**
 * Does at start what the first flow would otherwise wait a second for: the rules are read once and compiled, and the database is connected.
 */
export async function warmUp(store: FlowStore): Promise<void> {
  for (let reading = 0; reading < readings; reading += 1) classifyPage(signInPage, NOTHING_SENT);
  await claimFlow(store, { flowId: 'warm-up', epoch: 0 });
  await readFlow(store, 'warm-up');
}
