import { describe, expect, test } from 'vitest';
import {
  aChat,
  aContext,
  answered,
  sentJson,
  streamed,
} from '../../../tests/support/translation-play.ts';
import { dify } from './translate.ts';

const channel = { type: 37, key: 'app' };
const streaming = () => aContext({ body: aChat({ stream: true }), channel });

describe('a chat for a Dify app', () => {
  test('pictures go up by address, others and files are uploaded for the same user', async () => {
    const content = [
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: 'https://e.example/1.png' } },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=' } },
    ];
    const body = aChat({ user: 'u1', messages: [{ role: 'user', content }] });
    const answers = [{ id: 'file1' }, { id: 'file2' }];
    const context = aContext({ body, channel, answers });
    expect(await sentJson(dify, context)).toMatchObject({
      query: 'USER: \nSee\n',
      user: 'u1',
      files: [
        { type: 'image', transfer_mode: 'remote_url', url: 'https://e.example/1.png' },
        { type: 'image', transfer_mode: 'local_file', upload_file_id: 'file1' },
        { type: 'document', transfer_mode: 'local_file', upload_file_id: 'file2' },
      ],
    });
    for (const { body: form, url } of context.io.sent) {
      expect(url).toBe('https://api.dify.ai/v1/files/upload');
      expect(form instanceof FormData ? form.get('user') : null).toBe('u1');
    }
  });

  test("inputs and the conversation are the caller's to choose", async () => {
    const body = aChat({ inputs: { city: 'X' }, conversation_id: 'c1' });
    expect(await sentJson(dify, aContext({ body, channel }))).toMatchObject({
      inputs: { city: 'X' },
      conversation_id: 'c1',
    });
  });

  test('steps are left out where the operator configured that', () => {
    const context = streaming();
    const quiet = { ...context, settings: { ...context.settings, dify: { showSteps: false } } };
    const produced = streamed(dify, quiet, [
      { event: 'workflow_started', data: { workflow_id: 'w' } },
      { event: 'agent_message', answer: 'Hi' },
      { event: 'message_end', metadata: {} },
    ]);
    expect(produced.folded.choices[0]).toMatchObject({ texts: { content: 'Hi' }, finish: 'stop' });
    expect(produced.folded.choices[0]?.texts).not.toHaveProperty('reasoning_content');
  });

  test('folded thoughts get the marks that clients read', () => {
    const opening = '<details style="color:gray;" open> <summary> Thinking... </summary>\n';
    const produced = streamed(dify, streaming(), [
      { event: 'message', answer: opening },
      { event: 'message', answer: 'Hm' },
      { event: 'message', answer: '</details>' },
      { event: 'message_end' },
    ]);
    expect(produced.folded.choices[0]?.texts.content).toBe('<think>\nHm</think>');
  });

  test('an error after the first words follows them', () => {
    const produced = streamed(dify, streaming(), [
      { event: 'message', answer: 'Hel' },
      { event: 'error', status: 500, code: 'completion_request_error', message: 'gone' },
    ]);
    expect(produced.folded.choices[0]?.texts.content).toBe('Hel');
    expect(produced.error).toMatchObject({ status: 500, code: 'completion_request_error' });
  });

  test('the sources of an answer stay with it', async () => {
    const metadata = { retriever_resources: [{ document_name: 'D' }] };
    const reply = await answered(dify, aContext({ body: aChat(), channel }), {
      answer: 'x',
      metadata,
    });
    expect(reply).toMatchObject({ body: metadata, usage: null });
    const produced = streamed(dify, streaming(), [{ event: 'message_end', metadata }]);
    expect(produced.folded.extras).toEqual(metadata);
  });
});
