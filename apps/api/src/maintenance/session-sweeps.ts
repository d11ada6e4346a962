import { Inject, Injectable } from '@nestjs/common';
import { endRow, endSessionsOfDeadHosts, endStaleEnding, endUnclaimedLaunches } from '@berth/browser-fleet';
import { LiveSessions } from '@berth/live-sessions';
import { Fleet } from '../admission/fleet.js';
import { API_CONFIG, type ApiConfig } from '../config.js';

/** A living host confirms an end within seconds, or a profile save later; past this it is stuck. */
const staleEndingSeconds = 120;
/** Organizations whose dead members are looked at in one run, members that go at most of each: other work of Redis gets its turn. */
const organizationsPerRun = 50;
const deadPerOrganization = 2_000;

/** Everything with a slot, and pools deleted lately: their slots are freed by the process that deleted them, or here when it died. */
const organizationsWithSlots = `
SELECT organization_id AS id FROM browser_sessions WHERE status <> 'ended'
UNION SELECT organization_id FROM browser_pools WHERE deleted_at IS NULL OR deleted_at > now() - interval '7 days'`;

/** What hosts and creates would have done if they still lived, and what keeps Redis and PostgreSQL of one mind (house.md "Keep a browser counted"). */
@Injectable()
export class SessionSweeps {
  #lastSwept = '';

  constructor(
    @Inject(API_CONFIG) private readonly config: ApiConfig,
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(LiveSessions) private readonly live: LiveSessions,
  ) {}

  async deadHosts(): Promise<void> {
    await endSessionsOfDeadHosts(this.fleet.ending, this.config.leaseSeconds);
  }

  /** The create that waited for them is gone: it would have ended them at its time-out. */
  async unclaimedLaunches(): Promise<void> {
    await this.fleet.forgetLaunches(await endUnclaimedLaunches(this.fleet.ending, this.config.launchTimeoutSeconds + this.config.leaseSeconds));
  }

  async staleEnding(): Promise<void> {
    await endStaleEnding(this.fleet.ending, staleEndingSeconds);
  }

  /** Rows and members, both ways. A row whose lease ran out has nobody who renews it, and its slot is free already: it is ended. */
  async reconcile(): Promise<void> {
    const { access } = this.fleet.ending;
    const { rows } = await access.pool.query<{ id: string }>({ name: 'organizations-with-slots', text: organizationsWithSlots });
    for (const { id } of rows) {
      const { lapsed } = await this.live.reconcile(id, this.config.leaseSeconds * 1_000);
      for (const { member } of lapsed) await endRow(this.fleet.ending, member, 'lease_lost');
    }
  }

  /** Dead members never count; forgetting them saves memory. Goes round all organizations, some of them a run. */
  async deadMembers(): Promise<void> {
    const { rows } = await this.fleet.ending.access.pool.query<{ id: string }>({
      name: 'organizations-after', text: 'SELECT id FROM organizations WHERE id > $1 ORDER BY id LIMIT $2', values: [this.#lastSwept, organizationsPerRun],
    });
    for (const { id } of rows) await this.live.sweep(id, deadPerOrganization);
    this.#lastSwept = rows.length < organizationsPerRun ? '' : (rows.at(-1)?.id ?? '');
  }
}
