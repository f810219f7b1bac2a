import { Button } from '@blueprintjs/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { useRefusals } from '../form-problem.ts';
import { useStatus } from '../status.ts';
import { toast } from '../toast.ts';

/** Starts a provider that needs no key. */
const startCommand = 'npm run dev:upstream';
/** An OpenAI-compatible provider on the machine of the server; any key opens it. */
const testChannel = { type: 1, base_url: 'http://127.0.0.1:4010', key: 'test' } as const;
const localNames = ['localhost', '127.0.0.1', '[::1]'];

/** Reads the provider's models first: where none answers, no channel is made. */
const useAddTestProvider = () => {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { isQuiet: true },
    mutationFn: async (name: string) => {
      const models = await call('POST /api/channel/fetch_models', { body: testChannel });
      const served = { models: models.join(','), group: 'default' };
      await call('POST /api/channel/', { body: { ...testChannel, ...served, name } });
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['channel'] });
      void queryClient.invalidateQueries({ queryKey: ['pricing'] });
    },
  });
};

const isSilent = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'channel.models-not-fetched';

/** Made-up answers by one click, for who tries the product on their own machine or as a demo. */
export const TestProvider = () => {
  const { t } = useTranslation('connect');
  const { demo_site_enabled: isDemo } = useStatus();
  const add = useAddTestProvider();
  const report = useRefusals(() => undefined, {});
  if (!isDemo && !localNames.includes(window.location.hostname)) return null;
  const submit = () =>
    add.mutate(t('test.name'), {
      onSuccess: () => toast('success', t('test.added')),
      onError: (error) => {
        if (!isSilent(error)) report(error);
      },
    });
  return (
    <div className="step-text test-provider">
      <Button size="small" text={t('test.add')} loading={add.isPending} onClick={submit} />
      <p className="subtle">{t('test.hint')}</p>
      {isSilent(add.error) && (
        <p role="alert" className="error-text">
          {t('test.none')} <code>{startCommand}</code>
        </p>
      )}
    </div>
  );
};
