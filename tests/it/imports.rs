//! Which modules of the sources import each other, through whatever modules export a name.

use std::collections::{BTreeMap, BTreeSet};

/// The modules of the crate by their paths, such as `study::sweep`: the file, and what it imports.
pub struct Modules(BTreeMap<String, Module>);

/// The path of the module in a file, with slashes.
fn module_path(file: &str) -> &str {
    let path = file.trim_end_matches(".rs");
    path.trim_end_matches("/mod").trim_end_matches("/lib")
}

struct Module {
    file: String,
    /// The paths of its imports, from the root of the crate, and of what it exports of other
    /// modules.
    imports: Vec<String>,
    /// What it exports of other modules: the name, and its path.
    exports: BTreeMap<String, String>,
}

impl Modules {
    pub fn of(sources: &[(String, String)]) -> Modules {
        let mut modules = BTreeMap::new();
        for (file, _) in sources {
            let path = module_path(file);
            let (imports, exports) = (Vec::new(), BTreeMap::new());
            let file = file.clone();
            let module = Module {
                file,
                imports,
                exports,
            };
            modules.insert(path.replace('/', "::"), module);
        }
        let mut modules = Modules(modules);
        for (file, text) in sources {
            let path = module_path(file);
            modules.read(&path.replace('/', "::"), text);
        }
        modules
    }

    /// Reads what a module imports and exports.
    fn read(&mut self, path: &str, text: &str) {
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or("");
        for (is_export, _, leaves) in statements(text) {
            for leaf in leaves {
                let Some(target) = self.absolute(path, &leaf) else {
                    continue;
                };
                let module = self.0.get_mut(path).expect("a module");
                if is_export {
                    let name = target.rsplit("::").next().unwrap_or_default();
                    module.exports.insert(name.to_string(), target.clone());
                }
                module.imports.push(target);
            }
        }
    }

    /// A path in a module from the root of the crate; `None` of another crate.
    fn absolute(&self, module: &str, path: &str) -> Option<String> {
        let (first, rest) = path.split_once("::").unwrap_or((path, ""));
        let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
        match first {
            "crate" if module.starts_with("charts") => Some(format!("charts::{rest}")),
            "crate" | "carat_core" | "carat_studies" => Some(rest.to_string()),
            "carat_charts" => Some(format!("charts::{rest}")),
            "self" => Some(format!("{module}::{rest}")),
            "super" if rest.starts_with("super") => self.absolute(parent, rest),
            "super" => Some(format!("{parent}::{rest}")),
            _ => {
                let inner = format!("{module}::{path}");
                let child = format!("{module}::{first}");
                self.0.contains_key(&child).then_some(inner)
            }
        }
    }

    /// The module in which a thing is defined, through whatever modules export it.
    fn home(&self, path: &str) -> Option<&str> {
        let mut at = String::new();
        let mut rest = path.split("::").filter(|name| !name.is_empty());
        while let Some(name) = rest.next() {
            let inner = if at.is_empty() {
                name.to_string()
            } else {
                format!("{at}::{name}")
            };
            if self.0.contains_key(&inner) {
                at = inner;
            } else if let Some(target) = self.0.get(&at).and_then(|of| of.exports.get(name)) {
                let more: Vec<&str> = rest.collect();
                return self.home(&format!("{target}::{}", more.join("::")));
            } else {
                break;
            }
        }
        self.0.get_key_value(&at).map(|(path, _)| path.as_str())
    }

    /// The files that import each other in circles of more than `most`.
    pub fn in_circles(&self, most: usize) -> Vec<&str> {
        let paths = self.0.keys().map(String::as_str);
        let reached: BTreeMap<&str, _> = paths.map(|path| (path, self.reached(path))).collect();
        let mut found = Vec::new();
        for (path, others) in &reached {
            let back = others.iter().filter(|other| reached[*other].contains(path));
            // A file in a circle reaches itself, too.
            if back.count() > most {
                found.push(self.0[*path].file.as_str());
            }
        }
        found
    }

    /// The modules of its own room that a module reaches by imports.
    fn reached(&self, from: &str) -> BTreeSet<&str> {
        let room = from.split("::").next();
        let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(module) = next.pop() {
            for import in &self.0[module].imports {
                let home = self
                    .home(import)
                    .filter(|home| home.split("::").next() == room);
                if let Some(home) = home.filter(|home| *home != module)
                    && reached.insert(home)
                {
                    next.push(home);
                }
            }
        }
        reached
    }
}

/// The imports of a text: whether others may import from them, the text of their tree, and its paths.
fn statements(text: &str) -> impl Iterator<Item = (bool, &str, Vec<String>)> {
    text.split(";\n").filter_map(|statement| {
        let start = statement.rfind("use ")?;
        let line = statement[..start].rsplit('\n').next()?;
        let is_export = line.starts_with("pub");
        if !line.is_empty() && !is_export {
            return None;
        }
        let tree = &statement[start + 4..];
        let mut leaves = Vec::new();
        expand("", &tree.replace('\n', " "), &mut leaves);
        Some((is_export, tree, leaves))
    })
}

/// A text with each import written on its own: `a::{b, c::D}` is `use a::b;` and `use a::c::D;`.
pub fn spelled(text: &str) -> String {
    let mut spelled = text.to_string();
    for (_, tree, leaves) in statements(text) {
        spelled = spelled.replacen(tree, &leaves.join(";\nuse "), 1);
    }
    spelled
}

/// The single paths of the tree of an import.
fn expand(prefix: &str, tree: &str, leaves: &mut Vec<String>) {
    let Some((start, inner)) = tree.trim().split_once('{') else {
        // `outcomes as o` is `outcomes`.
        let path = tree.trim().split(" as ").next().unwrap_or_default();
        let path = path.trim_end_matches("::self");
        let path = if path == "self" { "" } else { path };
        leaves.push(format!("{prefix}{path}").trim_end_matches("::").to_string());
        return;
    };
    let (mut depth, mut from) = (0, 0);
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                if at > from {
                    expand(&format!("{prefix}{start}"), &inner[from..at], leaves);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}
