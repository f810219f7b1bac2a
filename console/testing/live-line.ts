/** A stream of `GET /api/live` to which the test writes. */
export const openLiveLine = () => {
  let speak: (text: string) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      speak = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  const moved = (...names: readonly string[]) =>
    speak(`event: moved\ndata: ${JSON.stringify({ read_models: names })}\n\n`);
  return { response, moved };
};
