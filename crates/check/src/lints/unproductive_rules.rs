//! Rules that derive no sentence, and an empty language.
//!
//! A rule is unproductive if each of its alternatives needs a symbol that derives nothing. Only the
//! causes are reported: rules that depend on themselves or each other, or on a terminal without
//! text. The rules that depend on a cause are listed with it. Linear in the grammar.

use gramercy_analysis::{Components, Rows};
use gramercy_base::{Diagnostic, IndexSet};
use gramercy_grammar::{NonterminalId, ProductionId, RuleId, Symbol};

use crate::codes::{EMPTY_LANGUAGE, UNPRODUCTIVE_RULE};
use crate::context::Context;
use crate::names;

pub(super) fn find(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let dependencies = Dependencies::new(context);
    let start = context.bnf.start();
    if dependencies.is_stuck(start) {
        found.push(dependencies.empty_language());
    }
    for cause in dependencies.causes() {
        if !cause.contains(&start) {
            found.extend(dependencies.report(&cause));
        }
    }
}

/// The dependencies between unproductive nonterminals.
struct Dependencies<'c, 'a> {
    context: &'c Context<'a>,
    needs: Rows<NonterminalId, NonterminalId>,
    needed_by: Rows<NonterminalId, NonterminalId>,
}

impl<'c, 'a> Dependencies<'c, 'a> {
    fn new(context: &'c Context<'a>) -> Self {
        let (bnf, productive) = (context.bnf, &context.productive);
        let mut needs = Vec::new();
        for production in bnf.productions().filter(|&id| !productive.has_production(id)) {
            for &symbol in bnf.rhs(production) {
                if let Symbol::Nonterminal(part) = symbol
                    && !productive.contains(part)
                    && !productive.contains(bnf.lhs(production))
                {
                    needs.push((bnf.lhs(production), part));
                }
            }
        }
        let needed_by: Vec<_> = needs.iter().map(|&(user, part)| (part, user)).collect();
        let count = bnf.nonterminal_count();
        Self {
            context,
            needs: Rows::group(count, &needs),
            needed_by: Rows::group(count, &needed_by),
        }
    }

    fn is_stuck(&self, nonterminal: NonterminalId) -> bool {
        !self.context.productive.contains(nonterminal)
    }

    /// The groups that depend only on themselves.
    fn causes(&self) -> Vec<Vec<NonterminalId>> {
        let components = Components::of(&self.needs);
        let is_cause = |members: &&[NonterminalId]| {
            members.iter().all(|&member| self.is_stuck(member))
                && members
                    .iter()
                    .flat_map(|&member| self.needs.row(member))
                    .all(|part| components.component(*part) == components.component(members[0]))
        };
        let groups = components.ids().map(|id| components.members(id));
        let mut causes: Vec<Vec<_>> = groups.filter(is_cause).map(<[_]>::to_vec).collect();
        causes.iter_mut().for_each(|members| members.sort_unstable());
        causes.sort_unstable();
        causes
    }

    /// The diagnostic of an unproductive group; `None` if it is inside a productive rule.
    fn report(&self, cause: &[NonterminalId]) -> Option<Diagnostic> {
        let context = self.context;
        let rules: Vec<_> = cause.iter().filter_map(|&id| context.rule_of(id)).collect();
        let of = |rule: RuleId| &context.grammar.rules()[rule];
        let first = of(*rules.first()?);
        let message = match rules.len() {
            1 => format!("the rule `{}` derives no sentence", first.name),
            _ => format!(
                "the rules {} derive no sentence",
                names::list(rules.iter().map(|&rule| &of(rule).name))
            ),
        };
        let mut diagnostic = Diagnostic::at(UNPRODUCTIVE_RULE, first.span, message);
        for &rule in rules.iter().skip(1).take(3) {
            diagnostic = diagnostic.label(of(rule).span, "");
        }
        for &member in cause.iter().take(4) {
            diagnostic = diagnostic.note(self.reason(member));
        }
        let dependents = self.dependents(cause);
        if !dependents.is_empty() {
            let names = names::list(dependents.iter().map(|&rule| &of(rule).name));
            let verb = if dependents.len() == 1 { "derives" } else { "derive" };
            diagnostic = diagnostic.note(format!("therefore {names} {verb} no sentence either"));
        }
        Some(diagnostic.help("add an alternative that derives some text"))
    }

    /// The other rules that are unproductive because of a group.
    fn dependents(&self, cause: &[NonterminalId]) -> Vec<RuleId> {
        let mut reached: IndexSet<_> = cause.iter().copied().collect();
        let mut at = 0;
        while let Some(&member) = reached.get_index(at) {
            at += 1;
            reached.extend(self.needed_by.row(member));
        }
        let others = reached.into_iter().skip(cause.len());
        let mut rules: Vec<_> = others.filter_map(|id| self.context.rule_of(id)).collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    fn empty_language(&self) -> Diagnostic {
        let context = self.context;
        let start = &context.grammar.rules()[context.grammar.start()];
        let message = format!("no sentence can be derived from the start rule `{}`", start.name);
        Diagnostic::at(EMPTY_LANGUAGE, start.span, message)
            .note(self.reason(context.bnf.start()))
            .help("add an alternative that derives some text")
    }

    /// Why a nonterminal is unproductive.
    fn reason(&self, nonterminal: NonterminalId) -> String {
        let (context, names) = (self.context, self.context.names());
        let name = names.nonterminal(nonterminal);
        let productions = context.bnf.productions_of(nonterminal);
        let blockers = productions.iter().filter_map(|&production| self.blocker(production));
        let blockers: IndexSet<_> = blockers.collect();
        if blockers.is_empty() {
            return format!("in every alternative of `{name}` a token follows the end of input");
        }
        let itself = Symbol::Nonterminal(nonterminal);
        let shown = blockers.iter().map(|&symbol| match symbol {
            _ if symbol == itself => format!("`{name}` itself"),
            Symbol::Nonterminal(_) => format!("`{}`", names.symbol(symbol)),
            Symbol::Terminal(_) => format!("`{}`, which matches no text", names.symbol(symbol)),
        });
        let shown = shown.take(4).collect::<Vec<_>>().join(" or ");
        match productions.len() {
            1 => format!("`{name}` needs {shown}"),
            _ => format!("every alternative of `{name}` needs {shown}"),
        }
    }

    /// The first unproductive symbol of a production.
    fn blocker(&self, production: ProductionId) -> Option<Symbol> {
        let is_stuck = |symbol: &&Symbol| match **symbol {
            Symbol::Terminal(terminal) => self.context.textless.contains(terminal),
            Symbol::Nonterminal(part) => self.is_stuck(part),
        };
        self.context.bnf.rhs(production).iter().find(is_stuck).copied()
    }
}
