import { get as getPlain, type RequestOptions } from 'node:http';
import { get as getSecure } from 'node:https';

/**
 * What a knock at a host's door has told. `open`: it answered. `gone`: the host lives and has nothing there. `refused`: nobody listens at
 * its address, so its process is dead or not there yet. `silent`: anything else, which may be its machine, its load, or the network in
 * between.
 */
export type DoorState = 'open' | 'gone' | 'refused' | 'silent';

/** A process that dies while it is being asked resets the connection. */
const refusals: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ECONNRESET']);

function stateOf(status: number | undefined): DoorState {
  if (status === 200) return 'open';
  return status === 404 ? 'gone' : 'silent';
}

/** Asks an HTTP address of a host once, over a connection of its own: a kept one may be of a process that is dead. Never rejects. */
export function knock(url: string, withinMs: number): Promise<DoorState> {
  const get = url.startsWith('https:') ? getSecure : getPlain;
  const options: RequestOptions = { agent: false, signal: AbortSignal.timeout(withinMs) };
  return new Promise((resolve) => {
    get(url, options, (response) => {
      response.on('error', () => undefined).resume();
      resolve(stateOf(response.statusCode));
    }).on('error', (error: NodeJS.ErrnoException) => resolve(refusals.has(error.code) ? 'refused' : 'silent'));
  });
}

/** Where a host says that it lives, under its internal address. */
export const lifeUrl = (hostInternalUrl: string): string => `${hostInternalUrl}/health/live`;
