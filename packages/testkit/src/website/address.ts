import { scenarioByName } from './scenarios/index.js';

/** Where a request belongs: which scenario, what precedes its paths, and which of its steps. */
export interface Address {
  readonly scenario: string;
  readonly base: string;
  readonly step: string;
  readonly query: URLSearchParams;
}

/**
 * `name.localhost` is the scenario of that name; `/s/name/…` is it on any host; everything else is the main site.
 * Undefined for a scenario that does not exist.
 */
export function addressOf(host: string, url: string): Address | undefined {
  const { pathname, searchParams: query } = new URL(url, 'http://website');
  const label = /^([a-z0-9-]+)\.localhost(?::\d+)?$/i.exec(host)?.[1]?.toLowerCase();
  if (label !== undefined && scenarioByName.has(label)) return { scenario: label, base: '', step: pathname.slice(1), query };
  const prefixed = /^\/s\/([a-z0-9-]+)(?:\/(.*))?$/.exec(pathname);
  if (!prefixed) return { scenario: 'main', base: '', step: pathname.slice(1), query };
  const [, scenario = '', step = ''] = prefixed;
  return scenarioByName.has(scenario) ? { scenario, base: `/s/${scenario}`, step, query } : undefined;
}
