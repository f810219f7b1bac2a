import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export type StubTask = {
  id: string;
  prompt: string;
  /** `IMAGINE`, `MUSIC`: the operation of the path. */
  action: string;
  polls: number;
  /** Unix milliseconds. */
  takenMs: number;
  secret: string;
};

export type StubTasks = Readonly<{
  /** Tasks that were taken, oldest first. */
  taken: StubTask[];
  /**
   * `asked`, `answered`: a submission arrived and its answer left; `polled`, `told`: a poll of
   * tasks.
   */
  events: EventEmitter;
  /** True when the path was one of these services'. */
  serve: (res: ServerResponse, call: StubCall) => Promise<boolean>;
}>;

type StubCall = Readonly<{
  path: string;
  body: string;
  secret: string;
  /** Address of this server. */
  origin: string;
}>;

type Body = Readonly<Record<string, unknown>>;

const parsed = (text: string): Body => {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {};
  }
};

const json = (res: ServerResponse, status: number, value: unknown): true => {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  return true;
};

/** The prompt decides the result of a task: `will fail`, `goes on`; else it is done when polled. */
const stateOf = ({ prompt, polls }: StubTask): 'running' | 'failed' | 'done' => {
  if (prompt.includes('goes on') || polls < 1) return 'running';
  return prompt.includes('will fail') ? 'failed' : 'done';
};

const drawing = (task: StubTask, origin: string): object => {
  const state = stateOf(task);
  const { takenMs } = task;
  const times = { submitTime: takenMs, startTime: takenMs + 1_000 };
  const base = { id: task.id, action: task.action, prompt: task.prompt, ...times };
  if (state === 'running')
    return { ...base, status: 'IN_PROGRESS', progress: '37%', finishTime: 0 };
  const finishTime = takenMs + 9_000;
  if (state === 'failed') {
    const failReason = 'the brush broke';
    return { ...base, status: 'FAILURE', progress: '100%', failReason, finishTime };
  }
  return {
    ...base,
    status: 'SUCCESS',
    progress: '100%',
    promptEn: task.prompt,
    imageUrl: `${origin}/picture.png`,
    finishTime,
    buttons: [{ customId: 'MJ::JOB::upsample::1::abc', emoji: '', label: 'U1', type: 2, style: 2 }],
  };
};

const song = (task: StubTask): object => {
  const state = stateOf(task);
  const seconds = Math.floor(task.takenMs / 1_000);
  const base = { task_id: task.id, action: task.action, submit_time: seconds, start_time: seconds };
  if (state === 'running') return { ...base, status: 'IN_PROGRESS', finish_time: 0 };
  const finish_time = seconds + 60;
  if (state === 'failed') {
    return { ...base, status: 'FAILURE', fail_reason: 'the string broke', finish_time };
  }
  const data = [{ id: `clip-${task.id}`, title: 'a song', audio_url: 'https://example.com/a.mp3' }];
  return { ...base, status: 'SUCCESS', finish_time, data };
};

const refusalOf = (prompt: string): object | null => {
  if (prompt.includes('banned')) {
    const properties = { bannedWord: 'banned', promptEn: prompt };
    return { code: 24, description: 'banned prompt', properties };
  }
  if (!prompt.includes('no instance')) return null;
  return { code: 3, description: 'no account instance' };
};

const wordsOf = (body: Body): string =>
  String(body.prompt ?? body.gpt_description_prompt ?? body.content ?? '');

const submitted = (id: string, prompt: string, customId: string) => {
  if (customId.includes('Inpaint')) {
    return { code: 21, description: 'Waiting for window', result: id };
  }
  const code = prompt.includes('queued') ? 22 : 1;
  return { code, description: 'Submit success', result: id, properties: {} };
};

/** Midjourney-like and Suno-like services, as `infra/reference/tasks.md` has them. */
export const createStubTasks = (): StubTasks => {
  const taken: StubTask[] = [];
  const events = new EventEmitter();

  const take = (prompt: string, action: string, secret: string): StubTask => {
    const task = { id: randomUUID(), prompt, action, polls: 0, takenMs: Date.now(), secret };
    taken.push(task);
    return task;
  };
  const looked = (ids: unknown): StubTask[] => {
    const wanted = new Set(Array.isArray(ids) ? ids : []);
    const found = taken.filter(({ id }) => wanted.has(id));
    for (const task of found) task.polls += 1;
    return found;
  };

  const draw = async (res: ServerResponse, { path, body, secret, origin }: StubCall) => {
    const given = parsed(body);
    const prompt = wordsOf(given);
    const [, delay] = /waits (\d+)/.exec(prompt) ?? [];
    if (delay !== undefined) await pause(Number(delay));
    if (prompt.includes('drops')) {
      res.socket?.destroy();
      return true;
    }
    const no = refusalOf(prompt);
    if (no !== null) return json(res, 200, no);
    if (path.endsWith('upload-discord-images')) {
      return json(res, 200, { code: 1, description: 'ok', result: [`${origin}/picture.png`] });
    }
    const { id } = take(prompt, path.split('/').at(-1) ?? '', secret);
    return json(res, 200, submitted(id, prompt, String(given.customId ?? '')));
  };

  const sing = (res: ServerResponse, { path, body, secret }: StubCall) => {
    const prompt = wordsOf(parsed(body));
    if (prompt.includes('refused')) {
      return json(res, 200, { code: 'invalid_words', message: 'refused words', data: null });
    }
    const { id } = take(prompt, path.split('/').at(-1) ?? '', secret);
    return json(res, 200, { code: 'success', message: '', data: id });
  };

  const answer = async (res: ServerResponse, call: StubCall): Promise<boolean> => {
    const { path, body, origin } = call;
    if (path.endsWith('/mj/task/list-by-condition')) {
      const told = looked(parsed(body).ids).map((task) => drawing(task, origin));
      return json(res, 200, told);
    }
    if (path.endsWith('/image-seed')) {
      return json(res, 200, { code: 1, description: 'ok', result: '424242' });
    }
    if (/\/mj\/(?:submit|insight-face)\//.test(path)) return draw(res, call);
    if (path.startsWith('/suno/submit/')) return sing(res, call);
    if (path !== '/suno/fetch') return false;
    return json(res, 200, { code: 'success', data: looked(parsed(body).ids).map(song) });
  };

  return {
    taken,
    events,
    serve: async (res, call) => {
      const isPoll = /list-by-condition$|^\/suno\/fetch$/.test(call.path);
      const isSubmit = /\/(?:submit|insight-face)\//.test(call.path);
      if (isPoll || isSubmit) {
        events.emit(isPoll ? 'polled' : 'asked');
        res.once('close', () => events.emit(isPoll ? 'told' : 'answered'));
      }
      return answer(res, call);
    },
  };
};
