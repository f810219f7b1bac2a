/** The `data` of each server-sent event, in order; ends when the connection does. */
export async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r/);
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trimStart();
    }
    if (rest.startsWith('data:')) yield rest.slice(5).trimStart();
  } finally {
    reader.releaseLock();
  }
}
