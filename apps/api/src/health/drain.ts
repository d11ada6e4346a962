import type { Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { API_CONFIG, type ApiConfig } from '../config.js';

/** What is still under way then is cut off, so that a stop is over within 30 s (D55). */
const longestMs = 20_000;

/**
 * How this process stops (D55): its readiness fails, a moment later nobody new is let in, whoever waits for something is let go, and every
 * request that is under way is answered before the stores close.
 */
@Injectable()
export class Drain implements BeforeApplicationShutdown {
  readonly #underWay = new Set<ServerResponse>();
  readonly #letGo: (() => void | Promise<void>)[] = [];
  #server: Server | undefined;
  #stopping = false;
  #emptied: (() => void) | undefined;

  constructor(@Inject(API_CONFIG) private readonly config: ApiConfig) {}

  get isStopping(): boolean {
    return this.#stopping;
  }

  /** Counts every request of this server until its answer has ended. */
  install({ server }: FastifyInstance): void {
    this.#server = server;
    server.prependListener('request', (_request, response) => {
      this.#underWay.add(response);
      // Keep-alive would let a client go on here.
      if (this.#stopping) response.shouldKeepAlive = false;
      response.once('close', () => this.leaveOut(response));
    });
  }

  /** A stream is ended by whoever writes it, and its reader may take its time. */
  leaveOut(response: ServerResponse): void {
    this.#underWay.delete(response);
    if (this.#underWay.size === 0) this.#emptied?.();
  }

  /** `letGo` ends what requests wait for, once nobody new comes. */
  onStop(letGo: () => void | Promise<void>): void {
    this.#letGo.push(letGo);
  }

  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.#stopping = true;
    if (signal !== undefined) await delay(this.config.stopNoticeSeconds * 1_000);
    this.#server?.close();
    for (const response of this.#underWay) response.shouldKeepAlive = false;
    await Promise.all(this.#letGo.map(async (letGo) => letGo()));
    if (this.#underWay.size === 0) return;
    const emptied = new Promise<void>((resolve) => (this.#emptied = resolve));
    const tooLong = new AbortController();
    await Promise.race([emptied, delay(longestMs, undefined, { signal: tooLong.signal }).catch(() => undefined)]);
    tooLong.abort();
  }
}
