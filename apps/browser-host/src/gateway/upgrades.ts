import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '@berth/logging';
import { openBidiDoor } from './bidi-door.js';
import { openCdpDoor } from './cdp-door.js';
import type { Doorkeeper, OpenSession } from './doorkeeper.js';
import { Refusal, refuseUpgrade } from './refusal.js';

type OpenDoor = (open: OpenSession, request: IncomingMessage, socket: Duplex, head: Buffer, logger: Logger) => void;

const doors = { cdp: openCdpDoor, bidi: openBidiDoor } satisfies Record<string, OpenDoor>;

/** A reverse proxy may have put `/hosts/{id}` or the like in front (BERTH_HOST_PUBLIC_URL). */
const doorPath = /\/sessions\/([a-z0-9]{1,64})\/(cdp|bidi)$/;

export interface UpgradeParts {
  readonly doorkeeper: Doorkeeper;
  readonly requestId: (given: string | string[] | undefined) => string;
  readonly logger: Logger;
}

/**
 * Serves `/sessions/{id}/cdp` and `/sessions/{id}/bidi` of the host's HTTP server. A refusal carries a request id; what opens is Chromium's
 * answer, or the mapper's.
 */
export function serveUpgrades(server: Server, { doorkeeper, requestId: idOf, logger }: UpgradeParts): void {
  server.on('upgrade', (request, socket, head) => {
    const requestId = idOf(request.headers['x-request-id']);
    socket.on('error', () => socket.destroy());
    void enter(request, doorkeeper)
      .then(({ open, door }) => doors[door](open, request, socket, head, logger))
      .catch((error: unknown) => {
        if (error instanceof Refusal) return refuseUpgrade(socket, error, requestId);
        logger.error({ err: error, requestId }, 'a door did not open');
        socket.destroy();
      });
  });
}

async function enter(request: IncomingMessage, doorkeeper: Doorkeeper): Promise<{ open: OpenSession; door: keyof typeof doors }> {
  const url = new URL(request.url ?? '/', 'http://host');
  const [, sessionId, door] = doorPath.exec(url.pathname) ?? [];
  if (sessionId === undefined || door === undefined) throw new Refusal('not_found', 'There is nothing to connect to at this address.');
  return {
    open: await doorkeeper.admit(door as keyof typeof doors, sessionId, url.searchParams.get('token')),
    door: door as keyof typeof doors,
  };
}
