import { createRequire } from 'node:module';

export async function locateChromium(): Promise<string> {
  const local = createRequire(createRequire(import.meta.url).resolve('@berth/local-stack'));
  const { default: bundled } = (await import(local.resolve('@sparticuz/chromium'))) as { default: { executablePath(): Promise<string> } };
  return bundled.executablePath();
}
