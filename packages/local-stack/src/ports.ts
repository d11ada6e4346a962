import { readFileSync, writeFileSync } from 'node:fs';
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

function portIn(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Starts on the port asked for; without one, on that of the last start, which `memory` holds, so that processes which joined the stack find
 * it again after a restart; when that is taken, on a free one, trying another if somebody takes it between the look and the bind.
 */
export async function startOnPort<T>(
  asked: number | undefined,
  memory: string,
  start: (port: number) => Promise<T>,
): Promise<{ readonly running: T; readonly port: number }> {
  if (asked !== undefined) return { running: await start(asked), port: asked };
  const last = portIn(memory);
  for (let attempt = 1; ; attempt += 1) {
    const port = attempt === 1 && last !== undefined && (await isPortFree(last)) ? last : await findFreePort();
    try {
      const running = await start(port);
      writeFileSync(memory, String(port));
      return { running, port };
    } catch (error) {
      if (attempt === 5 || !/address already in use/i.test((error as Error).message)) throw error;
    }
  }
}
