import { AnchorButton, Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RichText } from '../../../shared/components/rich-text.tsx';
import { formatSeconds } from '../../../shared/format/time.ts';
import { useStatus } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import { type Options, type Release, readRelease } from '../api/options.ts';
import { settingTabs } from './option-fields.ts';
import { SettingCard } from './setting-card.tsx';

const card = settingTabs.other[0];

/** What runs here, and whether there is something newer. */
export const VersionCard = ({ options }: Readonly<{ options: Options }>) => {
  const { t } = useTranslation(['setting', 'common']);
  const { version, start_time } = useStatus();
  const [release, setRelease] = useState<Release | null>(null);
  const check = useMutation({
    mutationFn: () => readRelease(options.get('general_setting.releases_url') ?? ''),
    meta: { isQuiet: true },
    onSuccess: (found) => {
      if (found.tag.replace(/^v/, '') === version.replace(/^v/, '')) {
        toast('success', t('version-latest', { tag: found.tag }));
      } else setRelease(found);
    },
    onError: () => toast('error', t('version-failed')),
  });
  return (
    <>
      <SettingCard
        card={card}
        options={options}
        note={
          <dl className="version-facts">
            <dt>{t('version')}</dt>
            <dd>{version || t('version-unknown')}</dd>
            <dt>{t('version-started')}</dt>
            <dd>{formatSeconds(start_time)}</dd>
          </dl>
        }
        extra={
          <Button
            text={t('version-check')}
            loading={check.isPending}
            onClick={() => check.mutate()}
          />
        }
      />
      <Dialog
        isOpen={release !== null}
        onClose={() => setRelease(null)}
        title={t('version-new', { tag: release?.tag ?? '' })}
        className="tg-dialog"
      >
        <DialogBody>
          <RichText text={release?.notes ?? ''} />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('common:close')} onClick={() => setRelease(null)} />
              {release?.page && (
                <AnchorButton
                  intent="primary"
                  text={t('common:details')}
                  href={release.page}
                  target="_blank"
                  rel="noreferrer"
                />
              )}
            </>
          }
        />
      </Dialog>
    </>
  );
};
