import type { AuthConnection, LoginChoice, LoginField, LoginStarted, LoginStateEvent } from '@berth/schema';
import { readConnectionEvents } from '@berth/schema/event-stream';
import type { Command } from 'commander';
import { ApiClient, ApiRefusal } from '../api-client.js';
import { CliError, type Deployment } from '../deployment.js';
import { printable } from './printable.js';
import { ask, TakenBack } from './prompt.js';

const isSecret = ({ type }: LoginField): boolean => type !== 'identifier' && type !== 'text';

/** A choice with all that tells it from others: two text messages may go to two numbers. */
export const offered = ({ label, description, masked_destination: to, context }: LoginChoice): string =>
  printable([label, ...new Set([to, description, context].filter((told) => told && !label.includes(told)))].join(' — '));

/**
 * Answers until an answer is taken: what the API refuses is asked for again. A question that is not open any more, as when somebody has
 * answered it in a browser, is left; the stream tells what comes next, and takes the question back (`until`).
 */
export async function answerUntilTaken(
  client: Pick<ApiClient, 'call'>,
  path: string,
  state: LoginStateEvent,
  until: AbortSignal,
  answering: typeof answer = answer,
): Promise<void> {
  for (;;) {
    try {
      const submission = await answering(state, until);
      if (submission === undefined) return;
      await client.call('POST', `${path}/submit`, submission);
      return;
    } catch (error) {
      if (error instanceof TakenBack) return;
      if (!(error instanceof ApiRefusal && (error.status === 422 || error.status === 409))) throw error;
      process.stderr.write(`  ${printable(error.message)}\n`);
      if (error.status === 409) return;
    }
  }
}

/** Asks for what the website asks for and makes the submission of it, or undefined when there is nothing to answer. */
async function answer(state: LoginStateEvent, until: AbortSignal): Promise<Record<string, unknown> | undefined> {
  if (state.interaction_id === undefined) return undefined;
  const { choices = [], fields = [], interaction_id } = state;
  choices.forEach((choice, index) => process.stderr.write(`  ${index + 1}) ${offered(choice)}\n`));
  if (choices.length > 0) {
    const picked = await ask(fields.length > 0 ? 'Number of a choice, or Enter to fill in the fields: ' : 'Number of your choice: ', until);
    const choice = choices[Number(picked) - 1];
    if (choice !== undefined) return { interaction_id, selected_choice_id: choice.id };
    if (fields.length === 0 || picked.trim() !== '') {
      process.stderr.write(`  "${picked}" is the number of no choice.\n`);
      return answer(state, until);
    }
  }
  const values: Record<string, string> = {};
  for (const field of fields) {
    const again = field.reason === 'rejected' ? ' (was rejected)' : field.required === false ? ' (Enter to leave it)' : '';
    if (field.hint !== undefined) process.stderr.write(`  ${printable(field.hint)}\n`);
    values[field.id] = await ask(`${printable(field.label ?? field.ref)}${again}: `, until, isSecret(field));
  }
  return { interaction_id, field_values: values };
}

function describe(state: LoginStateEvent): string {
  const parts = [
    state.flow_step,
    state.flow_status,
    state.website_error && `the website says: ${state.website_error}`,
    state.external_action_message,
    state.error_code && `${state.error_code}: ${state.error_message ?? ''}`,
    state.post_login_url,
  ];
  return printable(parts.filter(Boolean).join(' · '));
}

async function runLogin(client: ApiClient, connection: string): Promise<void> {
  const path = `/auth/connections/${encodeURIComponent(connection)}`;
  const current = await client.call<AuthConnection>('GET', path);
  if (current.flow_status !== 'IN_PROGRESS') {
    const started = await client.call<LoginStarted>('POST', `${path}/login`, {});
    process.stderr.write(`Or finish in a browser: ${started.hosted_url}\n`);
  } else {
    process.stderr.write(`A login is running already. Or finish it in a browser: ${current.hosted_url ?? ''}\n`);
  }
  const stream = await client.send('GET', `${path}/events`, undefined, { accept: 'text/event-stream' });
  if (!stream.ok) throw new CliError(`The event stream answered ${stream.status}.`);
  let question: OpenQuestion | undefined;
  const events = readConnectionEvents(stream);
  for (;;) {
    // Somebody who closes the terminal ends the command, whatever the stream does.
    const { value: event, done } = await Promise.race([events.next(), ...(question === undefined ? [] : [question.failed])]);
    if (done === true) return;
    if (event.event === 'sse_heartbeat') continue;
    if (event.event === 'error') throw new CliError(event.error.message);
    if (event.interaction_id === undefined || event.interaction_id !== question?.interaction) {
      await question?.takeBack();
      question = undefined;
    }
    process.stdout.write(`${event.timestamp}  ${describe(event)}\n`);
    if (event.flow_status === 'SUCCESS') return;
    if (event.flow_status !== 'IN_PROGRESS') throw new CliError(`The login ended ${event.flow_status}.`);
    if (event.interaction_id === undefined || question !== undefined) continue;
    if (!process.stdin.isTTY)
      throw new CliError(
        `The website asks for something and there is no terminal to ask at. Finish at ${event.hosted_url ?? 'the hosted page'}`,
      );
    question = openQuestion(event.interaction_id, (until) => answerUntilTaken(client, path, event, until));
  }
}

/** What stands at the terminal while the stream is read on. */
interface OpenQuestion {
  readonly interaction: string;
  /** Never comes to an end but by a fault: nobody sits at the terminal any more, or the API refuses for good. */
  readonly failed: Promise<never>;
  /** Resolves when the terminal is free for the next one. */
  takeBack(): Promise<void>;
}

function openQuestion(interaction: string, asking: (until: AbortSignal) => Promise<void>): OpenQuestion {
  const leaving = new AbortController();
  const over = asking(leaving.signal);
  return {
    interaction,
    failed: new Promise((_resolve, reject) => {
      over.catch(reject);
    }),
    takeBack: () => {
      leaving.abort();
      return over;
    },
  };
}

/** `berth login <connection>`: runs a flow in the terminal (D54). */
export function loginCommand(program: Command, deployment: Deployment): void {
  program
    .command('login <connection>')
    .description('run a login flow in the terminal: shows its states and asks for what the website asks for')
    .option('--project <id>', 'project of the connection; default: the default project')
    .action(async (connection: string, { project }: { project?: string }) => runLogin(new ApiClient(deployment, project), connection));
}
