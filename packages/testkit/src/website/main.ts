/**
 * The website as its own process: `node dist/website/main.js [port] [host]`. Prints one line of JSON, `{"url", "port", "hosts"}`, when it
 * answers; accounts come through `POST /_driver/accounts`. Ends on SIGINT, SIGTERM, or when its standard input closes with `--stdin`.
 */
import { startWebsite } from './website.js';

const [port = '0', host] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const website = await startWebsite({ port: Number(port), ...(host === undefined ? {} : { host }) });
process.stdout.write(`${JSON.stringify({ url: website.url, port: website.port, hosts: website.hosts })}\n`);

const stop = (): void => void website.stop();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
if (process.argv.includes('--stdin')) process.stdin.resume().once('end', stop);
