import { Inject, Injectable } from '@nestjs/common';
import { baseUrl, type DoorState, knock, lifeUrl } from '@berth/browser-fleet';
import { Sealer } from '@berth/secrets';
import type { PlacedSession, ShutDoors } from './pools.repository.js';

/** A living host answers in a few ms; one that takes longer is handed out only when nothing better is free. */
const knockWithinMs = 250;
/** A host that puts a browser right after its last caller opens its door, or has ended it, by then. */
const putRightWithinMs = 3_500;
/** What a host's door has told is believed for this long. */
const believedForMs = 1_000;

/**
 * Asks hosts whether they still have a browser, before somebody is given it. A refusal says only that the browser cannot be handed out: a
 * host that this process cannot reach may be well, so nothing is ended for it. Silence says less, so a host that is merely slow or far
 * stays in use, as the last one.
 */
@Injectable()
export class HostDoors {
  readonly #shut = new Map<string, { readonly state: 'refused' | 'silent'; readonly until: number }>();

  constructor(@Inject(Sealer) private readonly sealer: Sealer) {}

  get shut(): ShutDoors {
    const now = Date.now();
    for (const [id, { until }] of this.#shut) if (until < now) this.#shut.delete(id);
    const those = (wanted: 'refused' | 'silent'): string[] => [...this.#shut].filter(([, { state }]) => state === wanted).map(([id]) => id);
    return { refused: those('refused'), silent: those('silent') };
  }

  async ask(session: PlacedSession): Promise<DoorState> {
    const known = this.#shut.get(session.hostId);
    // It was leased although it is known to be silent: there is nothing better.
    if (known?.state === 'silent' && known.until >= Date.now()) return 'open';
    const state = await this.#knock(session);
    if (state === 'refused' || state === 'silent') this.#shut.set(session.hostId, { state, until: Date.now() + believedForMs });
    return state;
  }

  async #knock(session: PlacedSession): Promise<DoorState> {
    const door = baseUrl(session.hostInternalUrl, session, this.sealer);
    const state = await knock(door, knockWithinMs);
    const isBusy = state === 'silent' && (await knock(lifeUrl(session.hostInternalUrl), knockWithinMs)) === 'open';
    return isBusy ? knock(door, putRightWithinMs) : state;
  }
}
