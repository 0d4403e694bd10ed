// The worker runs the program, so that the page never waits for it. It takes
// questions and gives answers; before the first it says that it is ready.
importScripts("files.js", "wasm_exec.js");

async function start() {
  const packed = await fetch("threeway.wasm.gzip");
  if (!packed.ok) throw new Error(`threeway.wasm.gzip: ${packed.status} ${packed.statusText}`);
  const program = new Response(packed.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": "application/wasm" } });
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(program, go.importObject);
  go.run(instance).then(() => postMessage({ ended: "the program has ended" }));
}

const started = start();
started.then(() => postMessage({ ready: true }), (error) => postMessage({ ended: String(error.message ?? error) }));

onmessage = async ({ data }) => {
  await started;
  try {
    globalThis.ask(JSON.stringify(data.question), (answer) => postMessage({ id: data.id, answer: JSON.parse(answer) }));
  } catch (error) {
    postMessage({ ended: String(error.message ?? error) });
  }
};
