// A worker that answers questions with carat compiled for a browser. It gets the compiled code first,
// then questions as text, one at a time; each line of an answer is a message, and null ends it.

let carat;

/** What the code needs from a browser: its clock, and a place for its lines. */
function imports(module, say) {
  const given = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    given[from] ??= {};
    // Beside `say` these are calls of wasm-bindgen for `performance.now()`.
    given[from][name] = name === 'say' ? say
      : name.includes('_now_') ? () => performance.now()
        : name.includes('is_undefined') ? () => 0 : () => 1;
  }
  return given;
}

const text = (from, bytes) => new TextDecoder().decode(new Uint8Array(carat.memory.buffer, from, bytes));

let module;

// The file of a bot that a question lacks.
let lacking;

async function start() {
  const say = (from, bytes) => {
    const line = text(from, bytes);
    lacking = /^\{"fetch":"([^"]*)"/.exec(line)?.[1];
    if (!lacking) postMessage(line);
  };
  carat = (await WebAssembly.instantiate(module, imports(module, say))).exports;
}

let started = new Promise((done) => {
  onmessage = ({ data }) => {
    module = data;
    onmessage = question;
    done(start());
  };
});

function write(words) {
  const bytes = new TextEncoder().encode(words);
  // Making room may move the memory.
  const at = carat.room(bytes.length);
  new Uint8Array(carat.memory.buffer, at, bytes.length).set(bytes);
}

async function question({ data }) {
  try {
    await started;
    do {
      lacking = undefined;
      write(data);
      carat.ask();
      if (lacking) {
        const reply = await fetch(new URL(lacking, import.meta.url)).catch(() => undefined);
        if (!reply?.ok) throw new Error(`${lacking} is not there: it needs a connection`);
        write(`${lacking}\n${await reply.text()}`);
        carat.bring();
      }
    } while (lacking);
  } catch (error) {
    postMessage(JSON.stringify({ error: `carat stopped (${error.message}). Ask again.` }));
    // What broke off holds its locks: the next question finds it fresh.
    started = start();
  }
  postMessage(null);
}
