import { describe, expect, test } from 'vitest';
import { aChat, aContext, answered, sentJson } from '../../../tests/support/translation-play.ts';
import { siliconFlow } from './translate.ts';

const channel = { type: 40, key: 'sk' };

describe('SiliconFlow', () => {
  test.each([
    [20_012, 400],
    [30_001, 403],
    [50_505, 503],
  ])('the code %i inside a good answer has the status %i', async (code, status) => {
    const produced = { code, message: 'no', data: null };
    const context = aContext({ body: aChat(), channel });
    expect(await answered(siliconFlow, context, produced)).toMatchObject({ status, code });
  });

  test('an error of bare text keeps its words', () => {
    const reply = { status: 401, headers: {}, body: Buffer.from('"Invalid token"') };
    expect(siliconFlow.failure(reply)).toMatchObject({ status: 401, message: 'Invalid token' });
  });

  test('parameters of pictures stay, and pictures requested as data are fetched', async () => {
    const body = {
      model: 'm',
      prompt: 'cat',
      guidance_scale: 0,
      negative_prompt: 'dog',
      response_format: 'b64_json',
    };
    const answers = [{ base64: 'AAEC', content_type: 'image/png' }];
    const context = aContext({ body, endpoint: '/v1/images/generations', channel, answers });
    expect(await sentJson(siliconFlow, context)).toEqual({
      model: 'm',
      prompt: 'cat',
      guidance_scale: 0,
      negative_prompt: 'dog',
    });
    const reply = await answered(siliconFlow, context, {
      images: [{ url: 'https://e.example/1' }],
    });
    expect(reply).toMatchObject({ body: { data: [{ b64_json: 'AAEC' }] } });
  });
});
