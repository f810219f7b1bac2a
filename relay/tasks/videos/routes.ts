export type VideoRoute =
  /** `origin`: the video that is remade; null for a new one. */
  | Readonly<{ kind: 'video-order'; origin: string | null }>
  | Readonly<{ kind: 'videos' }>
  | Readonly<{ kind: 'video'; id: string }>
  | Readonly<{ kind: 'video-content'; id: string }>
  | Readonly<{ kind: 'video-removal'; id: string }>;

const videoPath = /^\/v1\/videos(?:\/([^/]+)(?:\/(content|remix))?)?$/;

export const isVideoPath = (path: string): boolean => videoPath.test(path);

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const ofVideo = (method: string, id: string, part: string | undefined): VideoRoute | null => {
  if (part === 'remix') return method === 'POST' ? { kind: 'video-order', origin: id } : null;
  if (method === 'GET') return { kind: part === 'content' ? 'video-content' : 'video', id };
  return method === 'DELETE' && part === undefined ? { kind: 'video-removal', id } : null;
};

/** `path` is without query. */
export const videoRouteOf = (method: string, path: string): VideoRoute | null => {
  const [whole, id, part] = videoPath.exec(path) ?? [];
  if (whole === undefined) return null;
  if (id !== undefined) return ofVideo(method, decoded(id), part);
  if (method === 'POST') return { kind: 'video-order', origin: null };
  return method === 'GET' ? { kind: 'videos' } : null;
};
