import { Controller, Get, Header, Inject, Param, Query } from '@nestjs/common';
import { answerWithin } from '../patience.js';
import type { OpenSession } from './doorkeeper.js';
import { Doorkeeper, ended } from './doorkeeper.js';
import { Refusal } from './refusal.js';

export type BrowserState =
  | {
      readonly session_id: string;
      readonly status: 'running';
      readonly browser: string;
      readonly user_agent: string;
      readonly connections: number;
      readonly pages: readonly { readonly id: string; readonly title: string; readonly url: string }[];
    }
  /** It is still there, for the host alone, and may be slow to answer. */
  | { readonly session_id: string; readonly status: 'ending' };

/** A browser answers in a few ms; one that takes longer hangs. */
const answersWithinMs = 2_000;

/** `base_url` (D31): what the browser is doing now. */
@Controller('sessions')
export class BrowserStateController {
  constructor(@Inject(Doorkeeper) private readonly doorkeeper: Doorkeeper) {}

  @Get(':id')
  @Header('cache-control', 'no-store')
  async state(@Param('id') id: string, @Query('token') token: string | undefined): Promise<BrowserState> {
    const open = await this.doorkeeper.admit('base', id, token ?? null);
    const state = await answerWithin(answersWithinMs, stateOf(open));
    if (state !== undefined) return state;
    // Or it was closed while it was being asked.
    throw open.chromium.cdp.isOpen ? new Refusal('service_unavailable', 'The browser hangs: it does not answer.') : ended();
  }

  /** What the browser holds of its profile, for the login worker alone. */
  @Get(':id/profile')
  @Header('cache-control', 'no-store')
  async profile(@Param('id') id: string, @Query('token') token: string | undefined): Promise<object> {
    const { session } = await this.doorkeeper.admit('profile', id, token ?? null);
    if (session.prepared.read === undefined) throw new Refusal('not_found', 'This browser session has no profile.');
    return session.prepared.read();
  }
}

async function stateOf({ session, chromium }: OpenSession): Promise<BrowserState> {
  if (session.ending !== undefined) return { session_id: session.id, status: 'ending' };
  const { browser } = chromium.cdp;
  const [version, targets] = await Promise.all([
    browser.send<{ product: string; userAgent: string }>('Browser.getVersion'),
    browser.send<{ targetInfos: { targetId: string; type: string; title: string; url: string }[] }>('Target.getTargets'),
  ]);
  return {
    session_id: session.id,
    status: 'running',
    browser: version.product,
    user_agent: version.userAgent,
    connections: session.connections,
    pages: targets.targetInfos.filter(({ type }) => type === 'page').map(({ targetId, title, url }) => ({ id: targetId, title, url })),
  };
}
