import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Bytes as they are, to a server that then closes the connection: what no HTTP client would send. */
export function sendRaw(url: string, request: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => resolve(parsed(Buffer.concat(received).toString('utf8'))));
  });
}

function parsed(text: string): RawAnswer {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]);
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: body.join('\r\n\r\n'),
  };
}

/** A request line, header lines and a body, with what every request has. */
export function rawRequest(
  line: string,
  { key, headers = [], body = '' }: { readonly key?: string; readonly headers?: readonly string[]; readonly body?: string | Buffer } = {},
): Buffer {
  const bytes = Buffer.from(body);
  const head = [
    `${line} HTTP/1.1`,
    'Host: berth.test',
    'Connection: close',
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...(bytes.length === 0 ? [] : [`Content-Length: ${bytes.length}`]),
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}
