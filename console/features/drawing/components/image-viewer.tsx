import { Button, Callout, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { Media, ZoomIn, ZoomOut } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

const smallest = 1;
const largest = 4;

/** A picture, as large as the window allows and up to four times that. */
export const ImageViewer = ({ url, name }: Readonly<{ url: string; name: string }>) => {
  const { t } = useTranslation(['drawing', 'common']);
  const [isOpen, setOpen] = useState(false);
  const [zoom, setZoom] = useState(smallest);
  const [hasFailed, setFailed] = useState(false);
  if (url === '') return <span className="faint no-value">{t('none')}</span>;
  return (
    <>
      <Button
        size="small"
        className="nowrap"
        icon={<Media />}
        text={t('view-image')}
        onClick={() => {
          setZoom(smallest);
          setFailed(false);
          setOpen(true);
        }}
      />
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('image-of', { name })}
        className="tg-dialog image-dialog"
      >
        <DialogBody>
          {hasFailed ? (
            <Callout intent="warning">{t('image-failed')}</Callout>
          ) : (
            <div className="image-frame">
              <img
                src={url}
                alt={t('image-of', { name })}
                style={{ width: `${zoom * 100}%` }}
                onError={() => setFailed(true)}
              />
            </div>
          )}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button
                icon={<ZoomOut />}
                text={t('zoom-out')}
                disabled={hasFailed || zoom <= smallest}
                onClick={() => setZoom(zoom - 1)}
              />
              <Button
                icon={<ZoomIn />}
                text={t('zoom-in')}
                disabled={hasFailed || zoom >= largest}
                onClick={() => setZoom(zoom + 1)}
              />
              <Button intent="primary" text={t('common:close')} onClick={() => setOpen(false)} />
            </>
          }
        />
      </Dialog>
    </>
  );
};
