import { useSignal } from '@preact/signals';

/** The command that does the same as the view. */
export function CommandLine({ line }: { line: string }) {
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(line);
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, 1_500);
  };
  return (
    <footer class="command">
      <code>
        <span aria-hidden="true">$ </span>
        {line}
      </code>
      <button type="button" onClick={() => void copy()}>
        {isCopied.value ? 'Copied' : 'Copy'}
      </button>
    </footer>
  );
}
