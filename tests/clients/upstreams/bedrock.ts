import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { messageEvents, readMessages, sendMessages } from './messages.ts';
import { rule, Unauthorized } from './scene.ts';
import type { Shape, UpstreamCall } from './types.ts';
import { sendJson } from './wire.ts';

export const awsKey = { id: 'AKIDEXAMPLE', secret: 'bedrock-secret', region: 'us-east-1' };

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const upperHex = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
const encoded = (segment: string): string =>
  encodeURIComponent(segment).replace(/[!'()*]/g, upperHex);

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/bedrock\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/** The signature of the very bytes received, computed again: AWS Signature Version 4. */
const authorized = ({ path, headers, text }: UpstreamCall): void => {
  const found = form.exec(headers.authorization ?? '');
  if (found === null) throw new Unauthorized('Missing Authentication Token');
  const [, id = '', day = '', region = '', names = '', signature = ''] = found;
  const signed = names.split(';');
  rule(signed.includes('host') && signed.includes('x-amz-date'), 'host and date must be signed');
  const time = String(headers['x-amz-date']);
  const request = [
    'POST',
    path.split('/').map(encoded).join('/'),
    '',
    ...signed.map((name) => `${name}:${String(headers[name])}`),
    '',
    names,
    sha256(text),
  ].join('\n');
  const scope = `${day}/${region}/bedrock/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n');
  const key = [day, region, 'bedrock', 'aws4_request'].reduce<string | Buffer>(
    (own, part) => hmac(own, part),
    `AWS4${awsKey.secret}`,
  );
  const own = hmac(key, toSign);
  const isOwn = id === awsKey.id && region === awsKey.region && time.startsWith(day);
  if (!isOwn || !timingSafeEqual(own, Buffer.from(signature, 'hex'))) {
    throw new Unauthorized('The request signature we calculated does not match');
  }
};

const header = (name: string, value: string): Buffer => {
  const own = Buffer.from(value);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(own.length);
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([7]),
    length,
    own,
  ]);
};

const word = (value: number): Buffer => {
  const own = Buffer.alloc(4);
  own.writeUInt32BE(value >>> 0);
  return own;
};

/** One message of `application/vnd.amazon.eventstream`. */
const frame = (value: object): Buffer => {
  const bytes = Buffer.from(JSON.stringify(value)).toString('base64');
  const payload = Buffer.from(JSON.stringify({ bytes }));
  const headers = Buffer.concat([
    header(':event-type', 'chunk'),
    header(':content-type', 'application/json'),
    header(':message-type', 'event'),
  ]);
  const prelude = Buffer.concat([word(16 + headers.length + payload.length), word(headers.length)]);
  const whole = Buffer.concat([prelude, word(crc32(prelude)), headers, payload]);
  return Buffer.concat([whole, word(crc32(whole))]);
};

const target = /^\/model\/([^/]+)\/(invoke|invoke-with-response-stream)$/;

/** Claude by InvokeModel: the body of the Messages API without its model. */
export const bedrock: Shape = {
  read: (call) => {
    authorized(call);
    const [, id = '', action] = target.exec(call.path) ?? [];
    const model = decodeURIComponent(id);
    rule(
      /^us\.anthropic\.claude-.*-v\d+:\d+$/.test(model),
      'The provided model identifier is invalid.',
    );
    const { anthropic_version: version, anthropic_beta: _, ...body } = call.body;
    rule(version === 'bedrock-2023-05-31', 'anthropic_version: field required');
    rule(body.model === undefined && body.stream === undefined, 'extraneous key [model, stream]');
    return { ...readMessages(body), model, isStream: action !== 'invoke' };
  },
  send: (res, reply) => {
    if (!reply.conversation.isStream) return sendMessages(res, reply);
    res.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    for (const own of messageEvents(reply)) {
      const bytes = frame(own);
      res.write(bytes.subarray(0, 9));
      res.write(bytes.subarray(9));
    }
    res.end();
  },
  fail: (res, status, message) => {
    const types: Readonly<Record<number, string>> = {
      401: 'UnrecognizedClientException',
      429: 'ThrottlingException',
    };
    res.setHeader('x-amzn-errortype', types[status] ?? 'ValidationException');
    sendJson(res, status === 401 ? 403 : status, { message });
  },
};
