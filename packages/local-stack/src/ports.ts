import { createServer } from 'node:net';

/**
 * Servers listen below the ephemeral range (32768 up on Linux): a client that probes a closed port inside that range can be given
 * the very same port for its own end, connect to itself, report the server as up, and keep the server from binding.
 */
const lowest = 15_000;
const highest = 32_000;

export function isPortFree(port: number, address = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: address, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** A port that was free just now. Random, so that two that look at the same time rarely meet; who loses that race tries another. */
export async function findFreePort(address?: string): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isPortFree(port, address)) return port;
  }
  throw new Error(`No free port found between ${lowest} and ${highest}.`);
}

/** Starts on the port asked for; without one, on a free one, trying another if somebody takes it between the look and the bind. */
export async function startOnPort<T>(asked: number | undefined, start: (port: number) => Promise<T>): Promise<{ readonly running: T; readonly port: number }> {
  if (asked !== undefined) return { running: await start(asked), port: asked };
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    try {
      return { running: await start(port), port };
    } catch (error) {
      if (attempt === 5 || !/address already in use/i.test((error as Error).message)) throw error;
    }
  }
}
