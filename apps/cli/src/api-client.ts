import { ErrorBody } from '@berth/schema';
import { CliError, type Deployment } from './deployment.js';

/** Of a project, by id or name. */
export const projectPath = (project: string): string => `/org/projects/${encodeURIComponent(project)}`;

/** The API has refused a request: its own words, and the status that they came with. */
export class ApiRefusal extends CliError {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Calls the API of the deployment. A refusal becomes a message that carries the API's own words and details. */
export class ApiClient {
  constructor(
    private readonly deployment: Deployment,
    private readonly project: string | undefined,
  ) {}

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.send(method, path, body);
    const text = await response.text();
    if (!response.ok) throw refusal(response.status, text);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** Every item of a paged list. */
  async list<T>(path: string): Promise<T[]> {
    const items: T[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const response = await this.send('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100&offset=${offset}`);
      const text = await response.text();
      if (!response.ok) throw refusal(response.status, text);
      items.push(...(JSON.parse(text) as T[]));
      offset = response.headers.get('x-has-more') === 'true' ? Number(response.headers.get('x-next-offset')) : undefined;
    }
    return items;
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const { publicUrl } = this.deployment;
    try {
      return await fetch(`${publicUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.deployment.apiKey()}`,
          ...(this.project === undefined ? {} : { 'x-service-project-id': this.project }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (cause) {
      if (cause instanceof CliError) throw cause;
      throw new CliError(`No answer from ${publicUrl}: start Berth with \`npm start\`, or set BERTH_PUBLIC_URL.`, { cause });
    }
  }
}

function refusal(status: number, text: string): ApiRefusal {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  const parsed = ErrorBody.safeParse(body);
  if (!parsed.success) return new ApiRefusal(status, `The API answered ${status} without an Error body.`);
  const details = (parsed.data.details ?? []).map(({ message }) => `\n  - ${message ?? ''}`).join('');
  return new ApiRefusal(status, `${parsed.data.message} (${status} ${parsed.data.code})${details}`);
}
