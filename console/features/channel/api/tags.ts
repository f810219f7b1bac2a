import { useMutation, useQueryClient } from '@tanstack/react-query';
import { postJson, putJson } from '../../../shared/api/client.ts';

/** What is absent stays as it is; an empty `new_tag` dissolves the tag. */
export type TagChange = Readonly<{
  tag: string;
  new_tag?: string;
  models?: string;
  groups?: string;
  model_mapping?: string;
  priority?: number;
  weight?: number;
}>;

const useTagCall = <T>(mutationFn: (input: T) => Promise<unknown>) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['channel', 'list'] }),
  });
};

export const useChangeTag = () =>
  useTagCall((change: TagChange) => putJson('/api/channel/tag', change));

export const useSwitchTag = () =>
  useTagCall(({ tag, isEnabled }: Readonly<{ tag: string; isEnabled: boolean }>) =>
    postJson(`/api/channel/tag/${isEnabled ? 'enabled' : 'disabled'}`, { tag }),
  );
