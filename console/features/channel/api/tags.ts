import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';
import type { BodyOf } from '../../../shared/api/routes.ts';

/** What is absent stays as it is; an empty `new_tag` dissolves the tag. */
export type TagChange = BodyOf<'PUT /api/channel/tag'>;

const useTagCall = <T>(mutationFn: (input: T) => Promise<unknown>) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['channel', 'list'] }),
  });
};

export const useChangeTag = () =>
  useTagCall((body: TagChange) => call('PUT /api/channel/tag', { body }));

export const useSwitchTag = () =>
  useTagCall(({ tag, isEnabled }: Readonly<{ tag: string; isEnabled: boolean }>) =>
    call(`POST /api/channel/tag/${isEnabled ? 'enabled' : 'disabled'}`, { body: { tag } }),
  );
