import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { findFreePort, libraryPath, unpackDebian } from '@berth/local-stack';
import { type ProcessCost, type StreamServer, untilAnswers } from './measured-process.js';

/** Debian's kernels count the CPU of a process in hundredths of a second. */
const MICROS_A_TICK = 10_000;
const PUBLISHING_CONNECTIONS = 16;

/**
 * The reference in C: nginx with the module nchan, one worker process. It takes its messages by POST, so it has no hop over Redis.
 * What a worker has once taken for streams it keeps, so each round has a new one.
 */
export class Nchan implements StreamServer {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: PUBLISHING_CONNECTIONS });

  private constructor(
    private readonly master: ChildProcess,
    private readonly worker: string,
    readonly url: string,
  ) {}

  /**
   * Fetches nginx and nchan from the machine's Debian.
   * @returns how to start one, or undefined where Debian has none
   */
  static async fetch(folder: string): Promise<(() => Promise<Nchan>) | undefined> {
    const root = await unpackDebian(join(folder, 'debian'), { packages: ['nginx', 'libnginx-mod-nchan'] }).catch(() => undefined);
    if (root === undefined) return undefined;
    await mkdir(join(folder, 'logs'));
    return () => Nchan.#start(root, folder);
  }

  static async #start(root: string, folder: string): Promise<Nchan> {
    const port = await findFreePort();
    const configuration = join(folder, 'nginx.conf');
    await writeFile(configuration, configurationOf(root, folder, port));
    const master = spawn(join(root, 'usr/sbin/nginx'), ['-p', folder, '-c', configuration], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { LD_LIBRARY_PATH: libraryPath(root) },
    });
    const url = `http://127.0.0.1:${port}`;
    await untilAnswers(`${url}/health/live`, () => master.exitCode === null);
    const [worker] = (await readFile(`/proc/${master.pid}/task/${master.pid}/children`, 'utf8')).split(' ');
    return new Nchan(master, worker!, url);
  }

  publish(connectionId: string, message: string): void {
    const { state } = JSON.parse(message) as { state: unknown };
    request(`${this.url}/publish/${connectionId}`, { method: 'POST', agent: this.#agent }, (response) => response.resume()).end(
      JSON.stringify(state),
    );
  }

  async cost(): Promise<ProcessCost> {
    const status = await readFile(`/proc/${this.worker}/status`, 'utf8');
    return { rss: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024, cpuMicros: await this.cpuMicros() };
  }

  async cpuMicros(): Promise<number> {
    const fields = (await readFile(`/proc/${this.worker}/stat`, 'utf8')).split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MICROS_A_TICK;
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    const ended = once(this.master, 'exit');
    this.master.kill('SIGTERM');
    await ended;
  }
}

function configurationOf(root: string, folder: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ');
  return `
    load_module ${join(root, 'usr/lib/nginx/modules/ngx_nchan_module.so')};
    daemon off; worker_processes 1; worker_rlimit_nofile 20000; pid ${join(folder, 'nginx.pid')}; error_log stderr crit;
    events { worker_connections 16384; }
    http {
      access_log off; keepalive_requests 1000000; ${temporary} nchan_shared_memory_size 512M; nchan_message_buffer_length 1;
      server {
        listen 127.0.0.1:${port} backlog=4096;
        location = /health/live { return 200; }
        location ~ ^/publish/(\\w+)$ { nchan_publisher http; nchan_channel_id $1; }
        location ~ ^/auth/connections/(\\w+)/events$ { nchan_subscriber eventsource; nchan_channel_id $1; nchan_subscriber_first_message newest; }
      }
    }`;
}
