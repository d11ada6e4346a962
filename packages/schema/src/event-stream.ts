import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ConnectionEvent } from './login-state.js';

/**
 * The events of an answered `GET /auth/connections/{id}/events`, to its end.
 * @throws ZodError or SyntaxError at an event that is not of the contract; what `fetch` throws when the connection is torn
 */
export async function* readConnectionEvents({ body }: Response): AsyncGenerator<ConnectionEvent, void> {
  if (body === null) return;
  for await (const { data } of body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()))
    yield ConnectionEvent.parse(JSON.parse(data));
}
