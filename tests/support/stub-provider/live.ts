import type { WebSocket } from 'ws';

/** What every turn of the stub's Gemini sessions takes. */
const usageMetadata = {
  promptTokenCount: 100,
  responseTokenCount: 50,
  totalTokenCount: 150,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 40 },
    { modality: 'AUDIO', tokenCount: 60 },
  ],
  responseTokensDetails: [
    { modality: 'TEXT', tokenCount: 10 },
    { modality: 'AUDIO', tokenCount: 40 },
  ],
};

const has = (value: unknown, member: string): boolean =>
  typeof value === 'object' && value !== null && member in value;

/** Gemini's side of a session: frames of bytes, and nothing before the setup. */
export const speakLive = (socket: WebSocket): void => {
  let isSetUp = false;
  const say = (event: object): void => socket.send(Buffer.from(JSON.stringify(event)));
  socket.on('message', (data) => {
    const event: unknown = JSON.parse(String(data));
    if (has(event, 'setup')) {
      isSetUp = true;
      say({ setupComplete: {} });
    } else if (!isSetUp) socket.close(1007, 'The first message must be a setup');
    else if (has(event, 'clientContent')) {
      const parts = [{ text: 'The gate is open.' }];
      say({ serverContent: { modelTurn: { role: 'model', parts } } });
      say({ serverContent: { generationComplete: true } });
      say({ serverContent: { turnComplete: true }, usageMetadata });
    }
  });
};
