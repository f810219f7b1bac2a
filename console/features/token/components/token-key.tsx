import { Button, PopoverNext } from '@blueprintjs/core';
import { Clipboard, EyeOpen } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../../shared/clipboard.ts';
import type { TokenRow } from '../api/tokens.ts';

const masked = (key: string) => `${key.slice(0, 7)}…${key.slice(-4)}`;

/** Shows a part of the key until its owner reveals all of it. */
export const TokenKey = ({ token }: Readonly<{ token: TokenRow }>) => {
  const { t } = useTranslation('common');
  const copy = useCopy();
  const key = `sk-${token.key}`;
  return (
    <div className="token-key">
      <code className="subtle">{masked(key)}</code>
      <Button
        variant="minimal"
        size="small"
        icon={<Clipboard size={14} />}
        aria-label={t('copy')}
        title={t('copy')}
        onClick={() => void copy(key)}
      />
      <PopoverNext
        placement="top"
        content={
          <div className="confirm">
            <code className="whole-key">{key}</code>
          </div>
        }
      >
        <Button
          variant="minimal"
          size="small"
          icon={<EyeOpen size={14} />}
          aria-label={t('view')}
          title={t('view')}
        />
      </PopoverNext>
    </div>
  );
};
