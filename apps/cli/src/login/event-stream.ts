import { ConnectionEvent } from '@berth/schema';

/** Reads the data events of a server-sent event stream. Lines may be cut anywhere between two chunks. */
export async function* readEvents(response: Response): AsyncGenerator<ConnectionEvent> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    pending += decoder.decode(chunk, { stream: true });
    const blocks = pending.split('\n\n');
    pending = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart()).join('\n');
      if (data !== '') yield ConnectionEvent.parse(JSON.parse(data));
    }
  }
}
