type Schema = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const objectOf = (properties: Schema, optional: readonly string[] = []): Schema => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

const refusal = objectOf(
  {
    success: { const: false },
    code: { ...text, description: 'Stays the same in every language.' },
    message: { ...text, description: 'In the language of `Accept-Language`.' },
    data: {
      ...text,
      description: 'The text, for calls about payments: their `message` is `error`.',
    },
    request_id: { ...text, description: 'Of a fault: what to search the log for.' },
  },
  ['data', 'request_id'],
);
const keyRefusal = objectOf({
  error: objectOf({ message: text, type: text, param: { type: 'null' }, code: text }),
});

const response = (description: string, name = 'Refusal'): Schema => ({
  description,
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
});

/** What the operations of the document refer to. */
export const components: Schema = {
  schemas: { Refusal: refusal, KeyRefusal: keyRefusal },
  responses: {
    Refused: response('Refused with `success: false`.'),
    NotSignedIn: response('Not signed in, or the wrong user id in the header.'),
    Forbidden: response('From another site, or a second factor is needed first.'),
    KeyRefused: response('No valid API key, or its owner is banned.', 'KeyRefusal'),
    TooMany: response('Too many calls from this address.'),
    Fault: response('A fault of the server; it is in its log.'),
    Unavailable: response('Another part of the product does not answer at the moment.'),
  },
  securitySchemes: {
    session: { type: 'apiKey', in: 'cookie', name: 'session' },
    accessToken: { type: 'http', scheme: 'bearer', description: 'From GET /api/user/token.' },
    userId: {
      type: 'apiKey',
      in: 'header',
      name: 'New-Api-User',
      description: 'Id of the caller.',
    },
    apiKey: { type: 'http', scheme: 'bearer', description: 'A key of the token list, `sk-…`.' },
  },
};
