import { rmSync } from 'node:fs';

export default async function globalTeardown() {
  const { stack, folder } = globalThis.berthTestStack;
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}
