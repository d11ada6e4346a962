import { Inject, Injectable } from '@nestjs/common';
import { baseUrl, bidiUrl, cdpUrl } from '@berth/browser-fleet';
import type { BrowserSession } from '@berth/schema';
import { Sealer } from '@berth/secrets';
import type { SessionRow } from './session-row.js';

type Addresses = Required<Pick<BrowserSession, 'cdp_ws_url' | 'webdriver_ws_url' | 'base_url'>>;
type Addressed = Pick<SessionRow, 'id' | 'generation' | 'hostPublicUrl'>;

/** Some 600 bytes each. The oldest goes first. */
const mostKept = 10_000;

/**
 * The signed addresses of sessions. They are the same as long as the session's generation is, and signing the three anew was a tenth of a
 * polled list, so they are kept.
 */
@Injectable()
export class SessionAddresses {
  readonly #kept = new Map<string, Addresses>();

  constructor(@Inject(Sealer) private readonly sealer: Sealer) {}

  of(session: Addressed): Addresses {
    const host = session.hostPublicUrl ?? '';
    const key = `${session.id} ${session.generation} ${host}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const addresses = {
      cdp_ws_url: cdpUrl(host, session, this.sealer),
      webdriver_ws_url: bidiUrl(host, session, this.sealer),
      base_url: baseUrl(host, session, this.sealer),
    };
    this.#kept.set(key, addresses);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
    return addresses;
  }
}
